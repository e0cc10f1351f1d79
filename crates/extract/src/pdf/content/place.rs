//! The position of a character: from the matrices of a page to a place along its line.

use crate::document::HiddenBy;

use super::super::object::Object;

/// A character on a page, seen so that its line runs from left to right.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) direction: Direction,
    /// Where it starts, along its line.
    pub(crate) x: f32,
    /// The height of its line; larger is higher.
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    /// How it is kept from being seen.
    pub(crate) hidden: Option<HiddenBy>,
    /// Its text: bytes of the text it was shown with.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Which way a line runs on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direction {
    Right,
    Down,
    Up,
    Left,
}

/// A change of coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix([f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn new(numbers: [f64; 6]) -> Self {
        Self(numbers)
    }

    /// First `self`, then `next`.
    pub(super) fn then(self, next: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, next.0);
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    pub(super) fn moved(self, x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y]).then(self)
    }

    /// Where a point of these coordinates lies on the page.
    pub(super) fn point(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    pub(super) fn from(operands: &[Object]) -> Option<Self> {
        let numbers: Vec<f64> = operands.iter().filter_map(Object::number).collect();
        Some(Self(numbers.try_into().ok()?))
    }
}

/// Turns a place on the page into one along its line; none where the numbers make no sense. The letters of a
/// backward run follow each other against the direction of their matrix.
pub(super) fn glyph(
    place: Matrix,
    width: f64,
    size: f64,
    is_backward: bool,
    is_vertical: bool,
) -> Option<Glyph> {
    let [a, b, c, d, x, y] = place.0;
    // The vectors along the line and upwards from it.
    let sign = if is_backward { -1.0 } else { 1.0 };
    let (along, up) = if is_vertical { ((-c, -d), (a, b)) } else { ((a, b), (c, d)) };
    let (along_x, along_y) = (along.0 * sign, along.1 * sign);
    let length = along.0.hypot(along.1);
    let height = up.0.hypot(up.1) * size.abs();
    let direction = if along_x.abs() >= along_y.abs() {
        if along_x >= 0.0 { Direction::Right } else { Direction::Left }
    } else if along_y >= 0.0 {
        Direction::Up
    } else {
        Direction::Down
    };
    let (x, y) = match direction {
        Direction::Right => (x, y),
        Direction::Left => (-x, -y),
        Direction::Up => (y, -x),
        Direction::Down => (-y, x),
    };
    let known = [x, y, length, height].iter().all(|it| it.is_finite() && it.abs() < 1e7);
    known.then(|| Glyph {
        direction,
        x: x as f32,
        y: y as f32,
        width: (width.abs() * length).min(1e7) as f32,
        // Letters without a height still have an order along their line.
        size: height.max(0.01) as f32,
        is_bold: false,
        hidden: None,
        start: 0,
        end: 0,
    })
}
