//! The inner loop of vector search: dot products of one int8 vector with many.
//!
//! It is bound by memory only when 32 products are made at a time, which stable Rust offers through
//! intrinsics alone, so this is one of the two files that may use `unsafe`. Other processors take
//! the plain loop. Both add integers, so they agree to the last bit.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the AVX2 intrinsics that load memory are unsafe to call")
)]

/// Lengths are padded with zeros to a multiple of this many numbers, so that no loop has a rest.
pub(super) const LANES: usize = 32;

/// Longest vector whose products surely fit into an `i32`: 127 * 127 * 131072 < 2^31.
pub(super) const MAX_LENGTH: usize = 131_072;

/// Writes the dot product of `query` with each of `rows` into `out`.
///
/// Numbers are two's complement bytes between -127 and 127, as they lie in memory; `rows`
/// holds `out.len()` rows as long as the query.
pub(super) fn dots(query: &[u8], rows: &[u8], out: &mut [i32]) {
    assert!(!query.is_empty() && query.len().is_multiple_of(LANES), "a padded vector");
    assert_eq!(rows.len(), query.len() * out.len(), "rows as long as the query");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it knows AVX2.
        unsafe { avx2::dots(query, rows, out) };
        return;
    }
    plain::dots(query, rows, out);
}

mod plain {
    /// Fixed-width chunks and integer sums: the compiler turns this into the vector instructions of
    /// whatever processor it builds for.
    pub(super) fn dots(query: &[u8], rows: &[u8], out: &mut [i32]) {
        for (row, out) in rows.chunks_exact(query.len()).zip(out) {
            let products = query
                .iter()
                .zip(row)
                .map(|(&a, &b)| i32::from(i16::from(a.cast_signed()) * i16::from(b.cast_signed())));
            *out = products.sum();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_abs_epi8,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
        _mm256_sign_epi8,
    };

    use super::LANES;

    /// Rows taken together, so that a piece of the query is loaded once for all of them.
    const TOGETHER: usize = 4;

    #[target_feature(enable = "avx2")]
    pub(super) fn dots(query: &[u8], rows: &[u8], out: &mut [i32]) {
        let (query, _) = query.as_chunks::<LANES>();
        let (rows, _) = rows.as_chunks::<LANES>();
        let length = query.len();
        let (groups, rest) = out.as_chunks_mut::<TOGETHER>();
        let (grouped, alone) = rows.split_at(groups.len() * TOGETHER * length);
        for (rows, out) in grouped.chunks_exact(TOGETHER * length).zip(groups) {
            let (ab, cd) = rows.split_at(2 * length);
            let ((a, b), (c, d)) = (ab.split_at(length), cd.split_at(length));
            let mut sums = [_mm256_setzero_si256(); TOGETHER];
            for ((((query, a), b), c), d) in query.iter().zip(a).zip(b).zip(c).zip(d) {
                let query = load(query);
                sums[0] = add_products(sums[0], query, load(a));
                sums[1] = add_products(sums[1], query, load(b));
                sums[2] = add_products(sums[2], query, load(c));
                sums[3] = add_products(sums[3], query, load(d));
            }
            *out = [total(sums[0]), total(sums[1]), total(sums[2]), total(sums[3])];
        }
        for (row, out) in alone.chunks_exact(length).zip(rest) {
            let mut sum = _mm256_setzero_si256();
            for (query, row) in query.iter().zip(row) {
                sum = add_products(sum, load(query), load(row));
            }
            *out = total(sum);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; LANES]) -> __m256i {
        // SAFETY: the reference vouches for 32 readable bytes, and this load needs no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// Adds 32 products to eight sums.
    ///
    /// The instruction multiplies unsigned by signed, so the sign of the query moves to the row.
    /// Two products of at most 127 * 127 fit into the 16 bits in between.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn add_products(sums: __m256i, query: __m256i, row: __m256i) -> __m256i {
        let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(query), _mm256_sign_epi8(row, query));
        _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn total(sums: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b_00_00_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b_00_00_00_01>(two));
        _mm_cvtsi128_si32(one)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn reference(query: &[u8], row: &[u8]) -> i32 {
        let wide = |byte: &u8| i32::from(byte.cast_signed());
        query.iter().zip(row).map(|(a, b)| wide(a) * wide(b)).sum()
    }

    /// A query and rows of one padded length, with numbers the quantiser can give.
    fn vectors() -> impl Strategy<Value = (Vec<u8>, Vec<Vec<u8>>)> {
        let number = || (-127_i8..=127).prop_map(i8::cast_unsigned);
        (1_usize..=5, 0_usize..=9).prop_flat_map(move |(chunks, rows)| {
            let row = move || vec(number(), chunks * LANES);
            (row(), vec(row(), rows))
        })
    }

    proptest! {
        #[test]
        fn every_kernel_gives_the_sum_of_the_products((query, rows) in vectors()) {
            let expected: Vec<i32> = rows.iter().map(|row| reference(&query, row)).collect();
            let mut fast = vec![0; rows.len()];
            let mut simple = vec![0; rows.len()];
            dots(&query, &rows.concat(), &mut fast);
            plain::dots(&query, &rows.concat(), &mut simple);
            prop_assert_eq!(&fast, &expected);
            prop_assert_eq!(&simple, &expected);
        }
    }

    #[test]
    fn the_largest_numbers_of_the_longest_vector_do_not_overflow() {
        let (low, high) = ((-127_i8).cast_unsigned(), 127);
        let expected = 127 * 127 * i32::try_from(MAX_LENGTH).unwrap();
        let mut out = [0; 5];
        dots(&vec![low; MAX_LENGTH], &vec![low; 5 * MAX_LENGTH], &mut out);
        assert_eq!(out, [expected; 5]);
        dots(&vec![low; MAX_LENGTH], &vec![high; 5 * MAX_LENGTH], &mut out);
        assert_eq!(out, [-expected; 5]);
    }
}
