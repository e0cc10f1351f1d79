use proptest::prelude::*;

use super::*;

fn packed(kernel: Int8Kernel, weights: &[Vec<i8>], scales: &[f32], bias: &[f32]) -> Int8Matrix {
    Int8Matrix::pack(kernel, weights[0].len(), bias, |row, out| {
        out.copy_from_slice(&weights[row]);
        scales[row]
    })
}

fn multiplied(matrix: &Int8Matrix, kernel: Kernel, input: &[f32]) -> Vec<f32> {
    let mut output = vec![f32::NAN; input.len() / matrix.depth * matrix.columns];
    matrix.multiply(kernel, input, &mut output, &mut QuantizedRows::default());
    output
}

/// Inputs that are bytes already (each row has a 0 and a 255, and its step is 1), so that only the sums are tested.
fn bytes(rows: usize, depth: usize, seed: usize) -> Vec<f32> {
    let mut values: Vec<f32> =
        (0..rows * depth).map(|it| ((it * 31 + seed * 17) % 256) as f32).collect();
    for row in values.chunks_exact_mut(depth) {
        row[0] = 255.0;
    }
    values
}

fn weights(columns: usize, depth: usize, seed: usize) -> Vec<Vec<i8>> {
    let number = |it: usize| (((it * 37 + seed * 11) % 255) as i32 - 127) as i8;
    (0..columns).map(|row| (0..depth).map(|it| number(row * depth + it)).collect()).collect()
}

/// Sums in 32 bits, by the definition.
fn by_definition(input: &[f32], weights: &[Vec<i8>]) -> Vec<i32> {
    let mut sums = Vec::new();
    for row in input.chunks_exact(weights[0].len()) {
        for column in weights {
            sums.push(row.iter().zip(column).map(|(a, b)| *a as i32 * i32::from(*b)).sum());
        }
    }
    sums
}

#[test]
fn every_kernel_sums_as_the_definition_says_at_every_edge() {
    for int8 in Int8Kernel::available() {
        for rows in [1, 2, 5, 6, 7, 11, 12, 13, 25, 241] {
            for (depth, columns) in [(1, 1), (3, 16), (4, 17), (8, 3), (37, 33), (384, 32)] {
                let (input, weights) = (bytes(rows, depth, 1), weights(columns, depth, 2));
                let (ones, none) = (vec![1.0; columns], vec![0.0; columns]);
                let matrix = packed(int8, &weights, &ones, &none);
                let expected: Vec<f32> =
                    by_definition(&input, &weights).into_iter().map(|it| it as f32).collect();
                let found = multiplied(&matrix, Kernel::detect(), &input);
                assert_eq!(found, expected, "{int8:?} {rows}x{depth}x{columns}");
            }
        }
    }
}

#[test]
fn the_largest_products_do_not_saturate() {
    let depth = 1536;
    for int8 in Int8Kernel::available() {
        for weight in [127_i8, -128] {
            let weights = vec![vec![weight; depth]; 16];
            let matrix = packed(int8, &weights, &[1.0; 16], &[0.0; 16]);
            let found = multiplied(&matrix, Kernel::detect(), &vec![255.0; depth]);
            let expected = (255 * i32::from(weight) * depth as i32) as f32;
            assert_eq!(found, vec![expected; 16], "{int8:?}");
        }
    }
}

/// AVX-VNNI has no machine to run on where tests run on AVX-512; there its twin stands in.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_kernel_of_avx_vnni_sums_as_the_definition_says() {
    type Panel = unsafe fn(Left<'_>, &[Block], Columns<'_>, &mut [f32], usize);
    let mut panels: Vec<Panel> = Vec::new();
    if is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vl") {
        panels.push(ymm::avxvnni_as_avx512::panel);
    }
    if is_x86_feature_detected!("avxvnni") {
        panels.push(ymm::avxvnni::panel);
    }
    for panel in panels {
        for (rows, depth) in [(1, 1), (6, 4), (13, 37), (7, 384)] {
            let (input, weights) = (bytes(rows, depth, 3), weights(16, depth, 4));
            let matrix = packed(Int8Kernel::AvxVnni, &weights, &[1.0; 16], &[0.0; 16]);
            let mut quantized = QuantizedRows::default();
            quantized.fill(Kernel::detect(), Int8Kernel::AvxVnni, &input, depth);
            let left = quantized.some(depth.div_ceil(4), 0, rows);
            let Int8Matrix { blocks, sums, scales, bias, .. } = &matrix;
            let mut output = vec![0.0; rows * 16];
            // SAFETY: the features were detected above.
            unsafe { panel(left, blocks, Columns { sums, scales, bias }, &mut output, 16) };
            let expected: Vec<f32> =
                by_definition(&input, &weights).into_iter().map(|it| it as f32).collect();
            assert_eq!(output, expected, "{rows}x{depth}");
        }
    }
}

proptest! {
    #[test]
    fn products_are_near_those_of_floats_and_the_same_by_every_kernel(
        rows in 1_usize..20,
        depth in 1_usize..70,
        columns in 1_usize..40,
        seed in 0_u32..1000,
    ) {
        let number = |it: usize| {
            let mixed = (it as u32).wrapping_add(seed).wrapping_mul(2_654_435_761);
            (mixed >> 8) as f32 / 8_388_608.0 - 1.0
        };
        let input: Vec<f32> = (0..rows * depth).map(|it| 3.0 * number(it)).collect();
        let weights = weights(columns, depth, seed as usize);
        let scales: Vec<f32> = (0..columns).map(|it| 0.01 + 0.001 * it as f32).collect();
        let bias: Vec<f32> = (0..columns).map(|it| number(it + 7)).collect();
        let vectors: Vec<_> = Int8Kernel::available().into_iter()
            .map(|int8| multiplied(&packed(int8, &weights, &scales, &bias), Kernel::detect(), &input))
            .collect();
        for (row, values) in input.chunks_exact(depth).enumerate() {
            // Every input is off by at most half a step of its row.
            let (low, high) = values.iter().fold((0.0_f32, 0.0_f32), |(low, high), it| (low.min(*it), high.max(*it)));
            let off = 0.51 * (high - low) / 255.0;
            for column in 0..columns {
                let exact: f32 = values.iter().zip(&weights[column])
                    .map(|(a, b)| a * f32::from(*b) * scales[column]).sum::<f32>() + bias[column];
                let size: f32 = weights[column].iter().map(|it| f32::from(it.unsigned_abs())).sum();
                let found = vectors[0][row * columns + column];
                prop_assert!((found - exact).abs() <= off * size * scales[column] + 1e-4, "{} {}", found, exact);
            }
        }
        // The plain kernel rounds twice where the others round once.
        for other in &vectors[1..] {
            for (one, other) in vectors[0].iter().zip(other) {
                prop_assert!((one - other).abs() <= 1e-5 * one.abs().max(1.0));
            }
        }
    }
}

#[test]
fn kernels_with_fused_multiply_add_agree_to_the_last_bit() {
    let input: Vec<f32> = (0..13 * 100).map(|it| ((it * 31) % 1009) as f32 / 613.0 - 0.8).collect();
    let weights = weights(40, 100, 5);
    let scales: Vec<f32> = (0..40).map(|it| 0.003 + 0.0007 * it as f32).collect();
    let results: Vec<_> = Int8Kernel::available()
        .into_iter()
        .filter(|it| *it != Int8Kernel::Plain)
        .map(|int8| {
            multiplied(&packed(int8, &weights, &scales, &[0.3; 40]), Kernel::detect(), &input)
        })
        .collect();
    for pair in results.windows(2) {
        assert_eq!(pair[0], pair[1]);
    }
}

#[test]
fn a_row_has_the_same_bits_alone_and_among_others() {
    let (depth, columns) = (52, 40);
    let input: Vec<f32> = (0..37 * depth)
        .map(|it| ((it * 31) % 1009) as f32 / 613.0 - 0.8 + (it / depth) as f32)
        .collect();
    let weights = weights(columns, depth, 5);
    for int8 in Int8Kernel::available() {
        let matrix = packed(int8, &weights, &vec![0.01; columns], &vec![0.5; columns]);
        let together = multiplied(&matrix, Kernel::detect(), &input);
        for (row, values) in input.chunks_exact(depth).enumerate() {
            let alone = multiplied(&matrix, Kernel::detect(), values);
            assert_eq!(alone, together[row * columns..][..columns], "{int8:?}");
        }
    }
}

#[test]
fn zeros_give_the_bias_and_what_is_no_number_stays_none() {
    let weights = weights(3, 20, 6);
    for int8 in Int8Kernel::available() {
        for kernel in Kernel::available() {
            let matrix = packed(int8, &weights, &[0.1; 3], &[1.0, -2.0, 0.5]);
            assert_eq!(multiplied(&matrix, kernel, &[0.0; 20]), [1.0, -2.0, 0.5]);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                for place in [0, 17, 19] {
                    let mut input = [0.25; 20];
                    input[place] = bad;
                    let found = multiplied(&matrix, kernel, &input);
                    assert!(found.iter().all(|it| it.is_nan()), "{bad} {found:?}");
                }
            }
        }
    }
}

#[test]
fn bytes_span_a_row_and_have_one_for_zero() {
    for kernel in Kernel::available() {
        let mut bytes = [0; 5];
        let (zero, scale) = rows::quantize(kernel, &[-0.984375, 0.0, 0.25, 1.0, 3.0], &mut bytes);
        assert_eq!((zero, scale), (63, 1.0 / 64.0));
        assert_eq!(bytes, [0, 63, 79, 127, 255]);
        // All on one side: zero has a byte all the same.
        let (zero, scale) =
            rows::quantize(kernel, &[2.0, 3.984375, 1.0, 0.5, 0.015625], &mut bytes);
        assert_eq!((zero, scale), (0, 1.0 / 64.0));
        assert_eq!(bytes, [128, 255, 64, 32, 1]);
    }
}

#[cfg(feature = "cuda")]
#[test]
fn a_matrix_of_whole_numbers_is_unpacked_for_another_device() {
    for int8 in Int8Kernel::available() {
        let weights = vec![vec![1, -2, 3, -4, 5], vec![-127, 127, 0, 100, -128]];
        let matrix = packed(int8, &weights, &[0.5, 0.25], &[1.0, 2.0]);
        let expected = [0.5, -31.75, -1.0, 31.75, 1.5, 0.0, -2.0, 25.0, 2.5, -32.0];
        assert_eq!(matrix.unpacked(), expected, "{int8:?}");
        assert_eq!(matrix.bias(), [1.0, 2.0]);
    }
}
