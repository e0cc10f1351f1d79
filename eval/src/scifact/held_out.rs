//! The train claims of SciFact that the built-in stance model has not been trained on.
//!
//! `training/prepare.py` (seed 7) holds out the claims of 15 % of the cited abstracts; these are their ids.

pub(crate) fn is_held_out(claim: u64) -> bool {
    HELD_OUT.binary_search(&claim).is_ok()
}

#[rustfmt::skip]
const HELD_OUT: &[u64] = &[
    14, 47, 66, 69, 71, 76, 77, 104, 108, 111, 149, 184, 200, 224, 225, 226, 247, 272, 315, 317,
    342, 351, 352, 365, 376, 381, 413, 414, 416, 417, 425, 429, 430, 432, 463, 472, 489, 495,
    498, 499, 555, 557, 576, 585, 591, 592, 602, 607, 620, 621, 631, 645, 646, 658, 704, 717,
    724, 730, 758, 787, 788, 789, 790, 792, 799, 801, 802, 803, 804, 810, 826, 828, 844, 866,
    871, 876, 877, 894, 919, 923, 925, 938, 939, 944, 945, 946, 949, 963, 964, 1030, 1044, 1045,
    1074, 1075, 1096, 1097, 1098, 1103, 1114, 1115, 1134, 1135, 1136, 1161, 1195, 1244, 1248,
    1249, 1263, 1307, 1308, 1309, 1356, 1360, 1403, 1404,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_in_order_so_that_they_are_found() {
        assert!(HELD_OUT.is_sorted_by(|a, b| a < b));
        assert_eq!(HELD_OUT.len(), 116);
        assert!(is_held_out(HELD_OUT[0]) && !is_held_out(HELD_OUT[0] + 1));
    }
}
