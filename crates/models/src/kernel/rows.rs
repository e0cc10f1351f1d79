//! Functions of whole rows: exponentials, activations, layer norm.
//!
//! Each is written once, in plain Rust, and compiled for every instruction set; the compiler turns
//! the loops into vectors. Sums run over sixteen lanes in a fixed order, so that results do not
//! depend on the instruction set's width.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "calls functions compiled for a CPU feature after detecting it")
)]

use super::plain::FUSED;
use super::{Kernel, LANES};

/// Compiles a function body (generic over "multiply-add is one instruction") for each kernel.
macro_rules! for_each_kernel {
    ($(#[$doc:meta])* $name:ident, $body:ident, ($($argument:ident: $kind:ty),*) $(-> $result:ty)?) => {
        $(#[$doc])*
        pub(crate) fn $name(kernel: Kernel, $($argument: $kind),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
            fn avx512($($argument: $kind),*) $(-> $result)? { $body::<true>($($argument),*) }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $kind),*) $(-> $result)? { $body::<true>($($argument),*) }

            match kernel {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this variant exists only after the features were detected.
                Kernel::Avx512 => unsafe { avx512($($argument),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Kernel::Avx2 => unsafe { avx2($($argument),*) },
                Kernel::Plain => $body::<FUSED>($($argument),*),
            }
        }
    };
}

for_each_kernel! {
    /// Replaces each `x` by `exp(scale * (x - largest))` and returns the sum: a softmax short of its
    /// division, which is cheaper on what the weights are applied to.
    exp_scaled, exp_scaled_body, (values: &mut [f32], scale: f32) -> f32
}
for_each_kernel! {
    /// The exact (erf) form of GELU, to about 1e-6.
    gelu, gelu_body, (values: &mut [f32])
}
for_each_kernel! {
    /// The form of GELU through tanh, which some models were trained with.
    gelu_tanh, gelu_tanh_body, (values: &mut [f32])
}
for_each_kernel! {
    relu, relu_body, (values: &mut [f32])
}
for_each_kernel! {
    /// Layer norm of each row of `values`, in place; a row is as long as `weight`.
    norm, norm_body, (values: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32)
}
for_each_kernel! {
    /// `values = norm(values + more)`, row by row.
    add_and_norm, add_and_norm_body,
    (values: &mut [f32], more: &[f32], weight: &[f32], bias: &[f32], epsilon: f32)
}

for_each_kernel! {
    /// Brings a row to bytes, `value = (byte - zero) * scale`, and returns zero and scale. The bytes span the row's
    /// least and largest value and always have one for 0. A row with a value that is no finite number has such a scale.
    quantize, quantize_body, (values: &[f32], bytes: &mut [u8]) -> (i32, f32)
}

/// Adding and taking it away rounds to a whole number, which is then in the low bits.
const ROUND: f32 = 12_582_912.0;
/// A row that spans less than this is one of zeros: the reciprocal of its step would not be finite.
const LEAST_SPAN: f32 = 1e-30;

/// `a * b + c`, rounded once where the machine can.
#[inline(always)]
pub(super) fn fused<const ONE: bool>(a: f32, b: f32, c: f32) -> f32 {
    if ONE { a.mul_add(b, c) } else { a * b + c }
}

/// `exp(x)` to about one part in 10^7, for x <= 0 or moderate; tiny results become 2^-126, not zero.
#[inline(always)]
fn exp<const ONE: bool>(x: f32) -> f32 {
    let x = x.clamp(-87.3, 88.3);
    let shifted = fused::<ONE>(x, std::f32::consts::LOG2_E, ROUND);
    let whole = shifted - ROUND;
    // ln 2 in two parts, so that what is left of x keeps its digits.
    let rest = fused::<ONE>(whole, -0.693_359_4, x);
    let rest = fused::<ONE>(whole, 2.121_944_4e-4, rest);
    let mut sum = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = fused::<ONE>(sum, rest, factor);
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
    sum * power
}

/// `erf(x)` to 1.5e-7: formula 7.1.26 of Abramowitz and Stegun.
#[inline(always)]
fn erf<const ONE: bool>(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / fused::<ONE>(size, 0.327_591_1, 1.0);
    let mut sum = 1.061_405_4;
    for factor in [-1.453_152, 1.421_413_8, -0.284_496_74, 0.254_829_6] {
        sum = fused::<ONE>(sum, t, factor);
    }
    let value = fused::<ONE>(-sum * t, exp::<ONE>(-size * size), 1.0);
    value.copysign(x)
}

#[inline(always)]
fn gelu_body<const ONE: bool>(values: &mut [f32]) {
    for value in values {
        let half = 0.5 * *value;
        *value = fused::<ONE>(half, erf::<ONE>(*value * std::f32::consts::FRAC_1_SQRT_2), half);
    }
}

#[inline(always)]
fn gelu_tanh_body<const ONE: bool>(values: &mut [f32]) {
    for value in values {
        let x = *value;
        let inner = 0.797_884_6 * fused::<ONE>(0.044_715 * x * x, x, x);
        // 0.5 (1 + tanh y) = 1 / (1 + exp(-2y))
        *value = x / (1.0 + exp::<ONE>(-2.0 * inner));
    }
}

#[inline(always)]
fn relu_body<const ONE: bool>(values: &mut [f32]) {
    for value in values {
        *value = value.max(0.0);
    }
}

#[inline(always)]
fn exp_scaled_body<const ONE: bool>(values: &mut [f32], scale: f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut largest = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (largest, value) in largest.iter_mut().zip(chunk) {
            *largest = if *value > *largest { *value } else { *largest };
        }
    }
    let largest = largest.iter().chain(rest).fold(f32::NEG_INFINITY, |a, b| a.max(*b));

    let (chunks, rest) = values.as_chunks_mut::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *value = exp::<ONE>((*value - largest) * scale);
            *sum += *value;
        }
    }
    for (sum, value) in sums.iter_mut().zip(rest) {
        *value = exp::<ONE>((*value - largest) * scale);
        *sum += *value;
    }
    sums.iter().sum()
}

#[inline(always)]
fn quantize_body<const ONE: bool>(values: &[f32], bytes: &mut [u8]) -> (i32, f32) {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let (mut low, mut high, mut unbounded) = ([0.0_f32; LANES], [0.0_f32; LANES], [0.0_f32; LANES]);
    let mut meet = |place: usize, value: f32| {
        low[place] = if value < low[place] { value } else { low[place] };
        high[place] = if value > high[place] { value } else { high[place] };
        // Comparisons pass over what is no number; this does not.
        unbounded[place] += value * 0.0;
    };
    for chunk in chunks {
        for (place, value) in chunk.iter().enumerate() {
            meet(place, *value);
        }
    }
    for (place, value) in rest.iter().enumerate() {
        meet(place, *value);
    }
    let (low, high) = (low.into_iter().fold(0.0, f32::min), high.into_iter().fold(0.0, f32::max));
    let span = high - low + unbounded.iter().sum::<f32>();
    if span < LEAST_SPAN {
        bytes.fill(0);
        return (0, 0.0);
    }
    let steps = 255.0 / span;
    let zero = (-low * steps).round();
    for (byte, value) in bytes.iter_mut().zip(values) {
        let place = fused::<ONE>(*value, steps, zero).clamp(0.0, 255.0);
        *byte = (place + ROUND).to_bits() as u8;
    }
    (zero as i32, span / 255.0)
}

#[inline(always)]
fn norm_body<const ONE: bool>(values: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    for row in values.chunks_exact_mut(weight.len()) {
        norm_row::<ONE>(row, weight, bias, epsilon);
    }
}

#[inline(always)]
fn add_and_norm_body<const ONE: bool>(
    values: &mut [f32],
    more: &[f32],
    weight: &[f32],
    bias: &[f32],
    epsilon: f32,
) {
    let rows = values.chunks_exact_mut(weight.len());
    for (row, more) in rows.zip(more.chunks_exact(weight.len())) {
        for (value, more) in row.iter_mut().zip(more) {
            *value += more;
        }
        norm_row::<ONE>(row, weight, bias, epsilon);
    }
}

#[inline(always)]
fn norm_row<const ONE: bool>(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum_of(row, |it| it) / count;
    let variance = sum_of(row, |it| (it - mean) * (it - mean)) / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((value, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *value = fused::<ONE>((*value - mean) * scale, *weight, *bias);
    }
}

#[inline(always)]
fn sum_of(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for chunk in chunks {
        for (sum, value) in sums.iter_mut().zip(chunk) {
            *sum += of(*value);
        }
    }
    for (sum, value) in sums.iter_mut().zip(rest) {
        *sum += of(*value);
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (x, gelu(x), gelu through tanh) computed with sixteen digits.
    const GELU: [(f32, f32, f32); 7] = [
        (-6.0, -5.919_526e-9, -0.0),
        (-2.0, -0.045_500_264, -0.045_402_306),
        (-0.5, -0.154_268_77, -0.154_286),
        (0.0, 0.0, 0.0),
        (0.1, 0.053_982_784, 0.053_982_81),
        (1.0, 0.841_344_7, 0.841_192),
        (4.0, 3.999_873_3, 3.999_93),
    ];

    #[test]
    fn activations_equal_their_definitions() {
        for kernel in Kernel::available() {
            let mut exact: Vec<f32> = GELU.iter().map(|it| it.0).collect();
            let mut through_tanh = exact.clone();
            gelu(kernel, &mut exact);
            gelu_tanh(kernel, &mut through_tanh);
            for (i, (x, a, b)) in GELU.iter().enumerate() {
                assert!((exact[i] - a).abs() < 1e-6, "{kernel:?} gelu({x}) = {}", exact[i]);
                assert!((through_tanh[i] - b).abs() < 1e-6, "{kernel:?} tanh form of {x}");
            }
            let mut values = [-1.5, 0.0, 2.5];
            relu(kernel, &mut values);
            assert_eq!(values, [0.0, 0.0, 2.5]);
        }
    }

    #[test]
    fn softmax_sums_exponentials_of_any_length() {
        for kernel in Kernel::available() {
            for length in [1, 2, 15, 16, 17, 64, 100] {
                let mut values: Vec<f32> =
                    (0..length).map(|i| (i % 9) as f32 * 1.7 - 3.0).collect();
                let expected: Vec<f64> = {
                    let top = values.iter().copied().fold(f32::MIN, f32::max);
                    values.iter().map(|it| (0.25 * f64::from(it - top)).exp()).collect()
                };
                let sum = exp_scaled(kernel, &mut values, 0.25);
                let expected_sum: f64 = expected.iter().sum();
                assert!((f64::from(sum) - expected_sum).abs() < 1e-5 * expected_sum);
                for (value, expected) in values.iter().zip(expected) {
                    assert!((f64::from(*value) - expected).abs() < 3e-7 * expected, "{kernel:?}");
                }
            }
        }
    }

    #[test]
    fn layer_norm_of_a_known_row() {
        for kernel in Kernel::available() {
            let mut row = [1.0, 2.0, 3.0, 4.0];
            add_and_norm(
                kernel,
                &mut row,
                &[1.0; 4],
                &[1.0, 1.0, 2.0, 1.0],
                &[0.0, 0.5, 0.0, 0.0],
                0.0,
            );
            let expected = [-1.341_640_8, 0.052_786_4, 0.894_427_2, 1.341_640_8];
            for (value, expected) in row.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-6, "{kernel:?} {row:?}");
            }
        }
    }

    #[test]
    fn kernels_with_fused_multiply_add_agree_to_the_last_bit() {
        let values: Vec<f32> = (0..97).map(|i| ((i * 37) % 101) as f32 / 13.0 - 4.0).collect();
        let (weight, bias) = (vec![0.7; 97], vec![0.1; 97]);
        let results: Vec<_> = Kernel::available()
            .into_iter()
            .filter(|it| *it != Kernel::Plain)
            .map(|kernel| {
                let mut row = values.clone();
                gelu(kernel, &mut row);
                norm(kernel, &mut row, &weight, &bias, 1e-12);
                let sum = exp_scaled(kernel, &mut row, 0.5);
                (row, sum)
            })
            .collect();
        for pair in results.windows(2) {
            assert_eq!(pair[0], pair[1]);
        }
    }
}
