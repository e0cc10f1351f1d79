//! Whether a person sees what is drawn: colours, what is painted behind, the edges of the page.
//!
//! Nothing is rendered. Of everything painted only the box around it is kept, and a text counts as hidden only
//! where that is enough to know.

use super::super::object::Object;
use super::place::Matrix;

/// A fill at least this light is white, in parts of full light.
const WHITE: f64 = 0.98;
/// Painted things that are kept; after more of them, anything may be behind a text.
const MAX_PAINTED: usize = 512;

/// A rectangle along the axes of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    left: f64,
    bottom: f64,
    right: f64,
    top: f64,
}

impl Area {
    /// Around points; none without a point.
    fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Option<Self> {
        points.into_iter().fold(None, |area: Option<Self>, (x, y)| {
            let area = area.unwrap_or(Self { left: x, bottom: y, right: x, top: y });
            Some(Self {
                left: area.left.min(x),
                bottom: area.bottom.min(y),
                right: area.right.max(x),
                top: area.top.max(y),
            })
        })
    }

    /// From the four numbers of a box, whichever corners they name.
    pub(crate) fn of_box(numbers: &[Object]) -> Option<Self> {
        let [a, b, c, d] = numbers.iter().filter_map(Object::number).collect::<Vec<_>>()[..] else {
            return None;
        };
        Self::around([(a, b), (c, d)]).filter(|it| it.size() > 0.0)
    }

    /// The matrix that moves and stretches this area onto another; none for one without an extent.
    pub(super) fn onto(&self, other: &Self) -> Option<Matrix> {
        let (width, height) = (self.right - self.left, self.top - self.bottom);
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        let across = (other.right - other.left) / width;
        let upwards = (other.top - other.bottom) / height;
        Some(Matrix::new([
            across,
            0.0,
            0.0,
            upwards,
            other.left - self.left * across,
            other.bottom - self.bottom * upwards,
        ]))
    }

    /// Around this area after a change of coordinates.
    pub(super) fn through(&self, matrix: Matrix) -> Self {
        let corners = [
            (self.left, self.bottom),
            (self.right, self.bottom),
            (self.left, self.top),
            (self.right, self.top),
        ];
        Self::around(corners.map(|it| matrix.point(it.0, it.1))).unwrap_or(*self)
    }

    pub(crate) fn size(&self) -> f64 {
        (self.right - self.left) * (self.top - self.bottom)
    }

    /// What both cover.
    pub(crate) fn shared(&self, other: &Self) -> Option<Self> {
        let area = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        (area.left < area.right && area.bottom < area.top).then_some(area)
    }

    pub(super) fn holds(&self, (x, y): (f64, f64), margin: f64) -> bool {
        (self.left - margin..=self.right + margin).contains(&x)
            && (self.bottom - margin..=self.top + margin).contains(&y)
    }
}

/// Which parts of letters are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Fill,
    Outline,
    Both,
    Nothing,
    /// What is drawn next shows through the letters.
    Clip,
}

impl Mode {
    pub(super) fn numbered(number: f64) -> Self {
        match number as u32 {
            1 | 5 => Self::Outline,
            2 | 6 => Self::Both,
            3 => Self::Nothing,
            7 => Self::Clip,
            _ => Self::Fill,
        }
    }
}

/// A colour, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) space: Space,
    pub(super) is_white: bool,
}

impl Ink {
    pub(super) const BLACK: Self = Self { space: Space::Grey, is_white: false };

    /// The first colour of a space is not white in any that is known here.
    pub(super) fn named(name: Option<&Object>) -> Self {
        Self { space: Space::named(name), is_white: false }
    }

    pub(super) fn of(space: Space, operands: &[Object]) -> Self {
        Self { space, is_white: space.is_white(operands) }
    }
}

/// The way the numbers of a colour are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Grey,
    Rgb,
    Cmyk,
    Unknown,
}

impl Space {
    fn named(name: Option<&Object>) -> Self {
        match name {
            Some(Object::Name(name)) => match name.as_slice() {
                b"DeviceGray" | b"G" | b"CalGray" => Self::Grey,
                b"DeviceRGB" | b"RGB" | b"CalRGB" => Self::Rgb,
                b"DeviceCMYK" | b"CMYK" => Self::Cmyk,
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    fn is_white(self, operands: &[Object]) -> bool {
        let numbers: Vec<f64> = operands.iter().filter_map(Object::number).collect();
        match self {
            Self::Grey => numbers.len() == 1 && numbers[0] >= WHITE,
            Self::Rgb => numbers.len() == 3 && numbers.iter().all(|it| *it >= WHITE),
            Self::Cmyk => numbers.len() == 4 && numbers.iter().all(|it| *it <= 1.0 - WHITE),
            Self::Unknown => false,
        }
    }
}

/// What has been painted on a page so far.
#[derive(Debug, Default)]
pub(super) struct Painted {
    areas: Vec<Area>,
    /// Too much was painted to keep track of.
    anywhere: bool,
    path: Option<Area>,
    /// The largest picture.
    pub(super) picture: Option<Area>,
}

impl Painted {
    /// Adds points of a path, given in the coordinates of `matrix`.
    pub(super) fn path(&mut self, operator: &[u8], operands: &[Object], matrix: Matrix) {
        let mut numbers = operands.iter().filter_map(Object::number);
        let mut pair = || Some((numbers.next()?, numbers.next()?));
        let points = match (operator, [pair(), pair(), pair()]) {
            (b"re", [Some((x, y)), Some((w, h)), None]) => {
                [Some((x, y)), Some((x + w, y)), Some((x, y + h)), Some((x + w, y + h))]
            }
            (_, [first, second, third]) => [first, second, third, None],
        };
        let own = self.path.map(|it| [(it.left, it.bottom), (it.right, it.top)]);
        let points = points.into_iter().flatten().map(|it| matrix.point(it.0, it.1));
        self.path = Area::around(own.into_iter().flatten().chain(points));
    }

    /// Ends the path; fills it with a colour that is not the paper's, if one is given.
    pub(super) fn end_path(&mut self, fill: Option<Ink>) {
        if let (Some(area), Some(Ink { is_white: false, .. })) = (self.path.take(), fill) {
            self.add(area);
        }
    }

    /// A picture fills the unit square of its coordinates.
    pub(super) fn picture(&mut self, matrix: Matrix) {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        let Some(area) = Area::around(corners.map(|it| matrix.point(it.0, it.1))) else { return };
        if self.picture.is_none_or(|it| it.size() < area.size()) {
            self.picture = Some(area);
        }
        self.add(area);
    }

    /// Something whose edges are not followed.
    pub(super) fn anything(&mut self) {
        self.anywhere = true;
    }

    fn add(&mut self, area: Area) {
        if self.areas.len() < MAX_PAINTED {
            self.areas.push(area);
        } else {
            self.anywhere = true;
        }
    }

    pub(super) fn is_bare_at(&self, point: (f64, f64)) -> bool {
        !self.anywhere && !self.areas.iter().any(|it| it.holds(point, 0.0))
    }
}
