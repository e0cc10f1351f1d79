//! A vector in one byte a number.
//!
//! A row is scaled to its largest number and rounded to 8 bits, which quarters the bytes a search has
//! to read. That loses about one part in a hundred of a similarity, so rounded vectors only name
//! candidates; `rows` compares those again with the numbers as they were recorded.

use super::simd::LANES;

/// A vector rounded to 8 bits. `byte * scale` is the number, for a vector of length one.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) scale: f32,
}

impl Code {
    pub(super) fn new(numbers: &[f32]) -> Self {
        let mut bytes = Vec::new();
        let scale = quantise(numbers, &mut bytes);
        Self { bytes, scale }
    }
}

/// Appends the numbers, rounded and padded, and returns their scale.
///
/// A vector without direction (all zero, or not finite) becomes zeros with scale zero: it is similar
/// to nothing, and no division by its length can yield a NaN.
pub(super) fn quantise(numbers: &[f32], bytes: &mut Vec<u8>) -> f32 {
    let squares = dot(numbers, numbers);
    let has_direction = squares > 0.0 && squares.is_finite();
    let largest = f64::from(numbers.iter().fold(0.0, |largest: f32, it| largest.max(it.abs())));
    let factor = if has_direction { 127.0 / largest } else { 0.0 };
    let start = bytes.len();
    bytes.extend(numbers.iter().map(|number| {
        // In f64, because the factor of very small numbers leaves the range of f32. Rounded by
        // hand: without SSE 4.1 in the build, `round` is a call for every number.
        let scaled = f64::from(*number) * factor;
        ((scaled + 0.5_f64.copysign(scaled)) as i32 as i8).cast_unsigned()
    }));
    bytes.resize(start + padded(numbers.len()), 0);
    if has_direction { (largest / (127.0 * squares.sqrt())) as f32 } else { 0.0 }
}

/// The dot product in f64, added up in one fixed order, so that every machine ranks equally.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f64 {
    // Independent sums, which the compiler can vectorise.
    const SUMS: usize = 8;
    let mut sums = [0.0_f64; SUMS];
    let mut add = |a: &[f32], b: &[f32]| {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += f64::from(*a) * f64::from(*b);
        }
    };
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    a.iter().zip(b).for_each(|(a, b)| add(a, b));
    add(a_rest, b_rest);
    sums.iter().sum()
}

/// The length of a row in bytes.
pub(super) fn padded(dimension: usize) -> usize {
    dimension.next_multiple_of(LANES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_rounded_to_its_largest_number_and_padded() {
        let code = Code::new(&[3.0, -4.0, 0.0, 0.02]);
        let head: Vec<i8> = code.bytes[..4].iter().map(|it| it.cast_signed()).collect();
        assert_eq!(head, [95, -127, 0, 1]);
        assert_eq!(code.bytes.len(), 32);
        assert!((code.scale - 4.0 / (127.0 * 5.0)).abs() < 1e-6);
    }

    #[test]
    fn vectors_without_direction_are_zeros_of_scale_zero() {
        for numbers in [[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 1.0]] {
            let code = Code::new(&numbers);
            assert_eq!((code.scale, code.bytes), (0.0, vec![0; 32]), "{numbers:?}");
        }
    }

    #[test]
    fn the_smallest_and_largest_numbers_keep_their_direction() {
        for size in [f32::from_bits(1), f32::MIN_POSITIVE, f32::MAX] {
            let code = Code::new(&[size, -size]);
            assert_eq!(code.bytes[..2], [127, (-127_i8).cast_unsigned()], "{size}");
            assert!((code.scale * 127.0 - 0.5_f32.sqrt()).abs() < 1e-6, "{size}");
        }
    }
}
