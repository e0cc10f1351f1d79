//! Runs the drawing operators of a page and notes each character it shows: text, place, size.
//!
//! Nothing is drawn. What moves text is followed, and as much of colours, paths and pictures as tells
//! whether a person sees it. Pictures are kept, so that a page that is nothing else can be told and read.

mod annotations;
mod paint;
mod place;

use std::collections::HashMap;
use std::rc::Rc;

use paint::{Area, Ink, Mode, Painted, Space};
pub(crate) use place::{Direction, Glyph};
use place::{Matrix, glyph};

use crate::document::HiddenBy;

use super::file::{File, Page, Resolved};
use super::font::Font;
use super::lexer::{Lexer, Token};
use super::metadata::text_string;
use super::object::{Dict, Object, Stream};

/// Values before an operator; no operator takes more than a handful, `TJ` takes one array.
const MAX_OPERANDS: usize = 64;
/// Graphics states that may be saved at a time.
const MAX_SAVED: usize = 256;
/// Parts of the content of a page.
const MAX_PARTS: usize = 10_000;
/// Nodes above a page that are asked for its size.
const MAX_PARENTS: usize = 32;
/// Letters below this size, in points, are unreadable.
const TINY: f32 = 1.0;
/// What loading a font costs, in operators.
const FONT_COST: usize = 500;

/// Everything a page shows, in the order it is drawn.
#[derive(Debug, Default)]
pub(crate) struct PageContent {
    pub(crate) glyphs: Vec<Glyph>,
    /// The texts of the glyphs, one after the other.
    pub(crate) text: String,
    pub(crate) pictures: usize,
    /// The first of them, as far as they are objects of their own.
    pub(crate) picture_streams: Vec<Stream>,
    /// The part of the page that its largest picture covers.
    pub(crate) picture_share: f64,
    /// Codes with unknown text.
    pub(crate) unknown: usize,
    /// The limit of operators was reached.
    pub(crate) is_cut: bool,
    /// The limit of text was reached.
    pub(crate) is_full: bool,
}

/// The fonts of a file, loaded once.
#[derive(Debug, Default)]
pub(crate) struct Fonts(HashMap<u32, Rc<Font>>);

/// The limits of one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) operators: usize,
    /// Of drawings inside drawings.
    pub(crate) nesting: usize,
    /// Of text.
    pub(crate) bytes: usize,
    /// Of pictures that are kept.
    pub(crate) pictures: usize,
}

/// Reads what a page shows.
pub(crate) fn show(file: &File<'_>, page: &Page, fonts: &mut Fonts, limits: Limits) -> PageContent {
    let empty = Dict::default();
    let mut shown = PageContent::default();
    let Some(dict) = page.object.dict() else { return shown };
    let mut bytes = Vec::new();
    if let Some(contents) = file.get(dict, "Contents") {
        let parts = match &*contents {
            Object::Array(parts) => parts[..parts.len().min(MAX_PARTS)].to_vec(),
            other => vec![other.clone()],
        };
        for part in &parts {
            if let Object::Stream(stream) = &*file.resolve(part) {
                bytes.extend(file.unpack(stream).unwrap_or_default());
                bytes.push(b'\n');
            }
        }
    }
    let own = file.get(dict, "Resources");
    let own = own.as_ref().and_then(|it| it.dict());
    let inherited = || page.inherited.as_ref().and_then(|it| it.dict());
    let resources = own.or_else(inherited).unwrap_or(&empty);
    let paper = paper(file, dict);
    let mut runner = Runner {
        file,
        fonts,
        shown: &mut shown,
        limits,
        left: limits.operators,
        paper,
        painted: Painted::default(),
    };
    runner.run(&bytes, resources, State::FIRST, 0);
    runner.annotations(dict);
    let picture = runner.painted.picture;
    if let (Some(paper), Some(picture)) = (paper, picture) {
        shown.picture_share = picture.shared(&paper).map_or(0.0, |it| it.size() / paper.size());
    }
    shown
}

/// What a reader sees of the page: its own box or that of the nearest node above that has one.
fn paper(file: &File<'_>, page: &Dict) -> Option<Area> {
    let find = |key: &str| {
        let mut dict = page.clone();
        for _ in 0..MAX_PARENTS {
            if let Some(found) = file.get(&dict, key).and_then(|it| Area::of_box(it.array()?)) {
                return Some(found);
            }
            let parent = file.get(&dict, "Parent")?.dict()?.clone();
            dict = parent;
        }
        None
    };
    let media = find("MediaBox")?;
    find("CropBox").and_then(|it| it.shared(&media)).or(Some(media))
}

#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    letter_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    mode: Mode,
    /// What letters and areas are filled with, and what is drawn around them.
    inside: Ink,
    outline: Ink,
}

impl State {
    /// Every part of a letter that is drawn is white.
    fn is_white(&self) -> bool {
        match self.mode {
            Mode::Fill => self.inside.is_white,
            Mode::Outline => self.outline.is_white,
            Mode::Both => self.inside.is_white && self.outline.is_white,
            Mode::Nothing | Mode::Clip => false,
        }
    }

    /// How a page begins.
    const FIRST: Self = Self {
        matrix: Matrix::IDENTITY,
        font: None,
        size: 1.0,
        letter_space: 0.0,
        word_space: 0.0,
        stretch: 1.0,
        leading: 0.0,
        rise: 0.0,
        mode: Mode::Fill,
        inside: Ink::BLACK,
        outline: Ink::BLACK,
    };
}

/// Text that stands for what is drawn inside a mark (`ActualText`).
#[derive(Debug)]
struct Mark {
    text: Option<String>,
    was_used: bool,
}

struct Runner<'r, 'a> {
    file: &'r File<'a>,
    fonts: &'r mut Fonts,
    shown: &'r mut PageContent,
    limits: Limits,
    left: usize,
    paper: Option<Area>,
    painted: Painted,
}

struct Frame<'d> {
    resources: &'d Dict,
    /// Fonts of this frame by name, so that each is looked up once.
    named: HashMap<Vec<u8>, Option<Rc<Font>>>,
    state: State,
    saved: Vec<State>,
    text: Matrix,
    line: Matrix,
    marks: Vec<Mark>,
    depth: usize,
}

impl Runner<'_, '_> {
    fn run(&mut self, bytes: &[u8], resources: &Dict, state: State, depth: usize) {
        let mut frame = Frame {
            resources,
            named: HashMap::new(),
            state,
            saved: Vec::new(),
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            marks: Vec::new(),
            depth,
        };
        let mut lexer = Lexer::new(bytes, 0);
        let mut operands: Vec<Object> = Vec::new();
        while let Some(token) = lexer.token() {
            match token {
                Token::Object(object) => {
                    if operands.len() < MAX_OPERANDS {
                        operands.push(object);
                    }
                }
                Token::Word(word) => {
                    if !self.spend(1) {
                        return;
                    }
                    if word == b"BI" {
                        self.shown.pictures += 1;
                        self.painted.picture(frame.state.matrix);
                        skip_inline_picture(&mut lexer);
                    } else {
                        self.operator(&mut frame, &word, &operands);
                    }
                    operands.clear();
                }
            }
        }
    }

    fn spend(&mut self, cost: usize) -> bool {
        self.left = self.left.saturating_sub(cost);
        self.shown.is_cut |= self.left == 0;
        self.shown.is_full |= self.shown.text.len() >= self.limits.bytes;
        !self.shown.is_cut && !self.shown.is_full
    }

    fn operator(&mut self, frame: &mut Frame<'_>, word: &[u8], operands: &[Object]) {
        let number = |i: usize| operands.get(i).and_then(Object::number).unwrap_or(0.0);
        let state = &mut frame.state;
        match word {
            b"q" if frame.saved.len() < MAX_SAVED => frame.saved.push(state.clone()),
            b"Q" => {
                if let Some(saved) = frame.saved.pop() {
                    frame.state = saved;
                }
            }
            b"cm" => {
                if let Some(matrix) = Matrix::from(operands) {
                    state.matrix = matrix.then(state.matrix);
                }
            }
            b"BT" => {
                frame.text = Matrix::IDENTITY;
                frame.line = Matrix::IDENTITY;
            }
            b"Tf" => {
                state.size = number(1);
                if let Some(Object::Name(name)) = operands.first() {
                    frame.state.font = self.font(frame, name);
                }
            }
            b"Tc" => state.letter_space = number(0),
            b"Tw" => state.word_space = number(0),
            b"Tz" => state.stretch = number(0) / 100.0,
            b"TL" => state.leading = number(0),
            b"Ts" => state.rise = number(0),
            b"Tr" => state.mode = Mode::numbered(number(0)),
            b"g" => state.inside = Ink::of(Space::Grey, operands),
            b"rg" => state.inside = Ink::of(Space::Rgb, operands),
            b"k" => state.inside = Ink::of(Space::Cmyk, operands),
            b"cs" => state.inside = Ink::named(operands.first()),
            b"sc" | b"scn" => state.inside = Ink::of(state.inside.space, operands),
            b"G" => state.outline = Ink::of(Space::Grey, operands),
            b"RG" => state.outline = Ink::of(Space::Rgb, operands),
            b"K" => state.outline = Ink::of(Space::Cmyk, operands),
            b"CS" => state.outline = Ink::named(operands.first()),
            b"SC" | b"SCN" => state.outline = Ink::of(state.outline.space, operands),
            b"re" | b"m" | b"l" | b"c" | b"v" | b"y" => {
                self.painted.path(word, operands, state.matrix);
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                self.painted.end_path(Some(state.inside));
            }
            b"n" | b"S" | b"s" => self.painted.end_path(None),
            b"sh" => self.painted.anything(),
            b"Td" => frame.new_line(number(0), number(1)),
            b"TD" => {
                state.leading = -number(1);
                frame.new_line(number(0), number(1));
            }
            b"T*" => frame.new_line(0.0, -frame.state.leading),
            b"Tm" => {
                if let Some(matrix) = Matrix::from(operands) {
                    frame.text = matrix;
                    frame.line = matrix;
                }
            }
            b"Tj" => self.show_operand(frame, operands.first()),
            b"'" => {
                frame.new_line(0.0, -frame.state.leading);
                self.show_operand(frame, operands.first());
            }
            b"\"" => {
                state.word_space = number(0);
                state.letter_space = number(1);
                frame.new_line(0.0, -frame.state.leading);
                self.show_operand(frame, operands.get(2));
            }
            b"TJ" => {
                for part in operands.first().and_then(Object::array).unwrap_or_default() {
                    match part {
                        Object::Number(back) => frame.advance(-back / 1000.0 * frame.state.size),
                        other => self.show_operand(frame, Some(other)),
                    }
                }
            }
            b"BMC" | b"BDC" if frame.marks.len() < MAX_SAVED => {
                let text = operands.get(1).and_then(|it| self.actual_text(frame, it));
                // A long text may be named by many marks.
                self.spend(text.as_ref().map_or(0, String::len) / 8);
                frame.marks.push(Mark { text, was_used: false });
            }
            b"EMC" => {
                frame.marks.pop();
            }
            b"Do" => {
                if let Some(Object::Name(name)) = operands.first() {
                    self.draw(frame, name);
                }
            }
            _ => {}
        }
    }

    fn font(&mut self, frame: &mut Frame<'_>, name: &[u8]) -> Option<Rc<Font>> {
        if let Some(found) = frame.named.get(name) {
            return found.clone();
        }
        let font = self.load_font(frame.resources, name);
        frame.named.insert(name.to_vec(), font.clone());
        font
    }

    fn load_font(&mut self, resources: &Dict, name: &[u8]) -> Option<Rc<Font>> {
        let fonts = self.file.get(resources, "Font")?;
        let entry = fonts.dict()?.get(std::str::from_utf8(name).ok()?)?;
        if let Object::Reference(id) = entry
            && let Some(font) = self.fonts.0.get(id)
        {
            return Some(Rc::clone(font));
        }
        self.spend(FONT_COST);
        let font = Rc::new(Font::load(self.file, self.file.resolve(entry).dict()?));
        if let Object::Reference(id) = entry {
            self.fonts.0.insert(*id, Rc::clone(&font));
        }
        Some(font)
    }

    fn actual_text(&self, frame: &Frame<'_>, operand: &Object) -> Option<String> {
        let text = |dict: &Dict| match &*self.file.get(dict, "ActualText")? {
            Object::String(bytes) => Some(text_string(bytes)),
            _ => None,
        };
        match operand {
            Object::Dict(dict) => text(dict),
            Object::Name(name) => {
                let lists = self.file.get(frame.resources, "Properties")?;
                let list = self.file.get(lists.dict()?, std::str::from_utf8(name).ok()?)?;
                text(list.dict()?)
            }
            _ => None,
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, name: &[u8]) {
        let Some(objects) = self.file.get(frame.resources, "XObject") else { return };
        let found = std::str::from_utf8(name)
            .ok()
            .and_then(|name| objects.dict().and_then(|it| self.file.get(it, name)));
        let Some(found) = found else { return };
        let Object::Stream(stream) = &*found else { return };
        match stream.dict.name("Subtype") {
            Some(b"Image") => {
                self.shown.pictures += 1;
                self.painted.picture(frame.state.matrix);
                if self.shown.picture_streams.len() < self.limits.pictures {
                    self.shown.picture_streams.push(stream.clone());
                }
            }
            Some(b"Form") if frame.depth < self.limits.nesting => {
                self.draw_form(stream, &frame.state, frame.resources, frame.depth + 1);
            }
            _ => {}
        }
    }

    /// Draws with the colours of `around`. Old files let a drawing use the resources of its page.
    fn draw_form(&mut self, stream: &Stream, around: &State, resources: &Dict, depth: usize) {
        let Some(bytes) = self.file.unpack(stream) else { return };
        let matrix = form_matrix(self.file, stream).then(around.matrix);
        let own: Option<Resolved<'_>> = self.file.get(&stream.dict, "Resources");
        let resources = own.as_ref().and_then(|it| it.dict()).unwrap_or(resources);
        let State { mode, inside, outline, .. } = *around;
        let state = State { matrix, mode, inside, outline, ..State::FIRST };
        self.run(&bytes, resources, state, depth);
    }

    /// How a letter at a point of the page is kept from being seen.
    fn hides(&self, state: &State, point: (f64, f64), size: f32) -> Option<HiddenBy> {
        if state.mode == Mode::Nothing {
            Some(HiddenBy::Invisible)
        } else if size < TINY {
            Some(HiddenBy::Tiny)
        } else if self.paper.is_some_and(|it| !it.holds(point, f64::from(size))) {
            Some(HiddenBy::OffPage)
        } else if state.is_white() && self.painted.is_bare_at(point) {
            Some(HiddenBy::SameColour)
        } else {
            None
        }
    }

    fn show_operand(&mut self, frame: &mut Frame<'_>, operand: Option<&Object>) {
        let (Some(Object::String(bytes)), Some(font)) = (operand, frame.state.font.clone()) else {
            return;
        };
        font.read(bytes, |code| {
            if !self.spend(1) {
                return;
            }
            let state = &frame.state;
            let size = state.size;
            let stretch = if font.is_vertical { 1.0 } else { state.stretch };
            let width = code.advance * size * stretch;
            let mut space = state.letter_space;
            if code.is_space {
                space += state.word_space;
            }
            let start = self.shown.text.len() as u32;
            match frame.marks.iter_mut().rev().find(|it| it.text.is_some()) {
                Some(mark) => {
                    if !mark.was_used {
                        self.shown.text.push_str(mark.text.as_deref().unwrap_or_default());
                        mark.was_used = true;
                    }
                }
                None => match &code.text {
                    Some(text) => self.shown.text.push_str(text),
                    None => self.shown.unknown += 1,
                },
            }
            // Wide letter spacing belongs to the letters: it must not look like spaces between words.
            let tracking = state.letter_space.clamp(0.0, size.abs() / 2.0) * stretch;
            let place = frame.text.moved(0.0, frame.state.rise).then(frame.state.matrix);
            // A negative size turns letters around, a negative stretch mirrors them; both together do not
            // change which way they run.
            let is_backward = (size < 0.0) != (stretch < 0.0);
            let height = size * font.letter_size;
            let width_shown = width.abs() + tracking.abs();
            let glyph = glyph(place, width_shown, height, is_backward, font.is_vertical);
            if let Some(mut glyph) = glyph {
                glyph.is_bold = font.is_bold;
                glyph.hidden = self.hides(&frame.state, place.point(0.0, 0.0), glyph.size);
                glyph.start = start;
                glyph.end = self.shown.text.len() as u32;
                self.shown.glyphs.push(glyph);
            }
            let advance = if font.is_vertical { width - space } else { width + space * stretch };
            frame.move_on(advance, font.is_vertical);
        });
    }
}

impl Frame<'_> {
    fn new_line(&mut self, x: f64, y: f64) {
        self.line = self.line.moved(x, y);
        self.text = self.line;
    }

    fn advance(&mut self, distance: f64) {
        let is_vertical = self.state.font.as_ref().is_some_and(|it| it.is_vertical);
        let stretch = if is_vertical { -1.0 } else { self.state.stretch };
        self.move_on(distance * stretch, is_vertical);
    }

    fn move_on(&mut self, distance: f64, is_vertical: bool) {
        self.text = if is_vertical {
            self.text.moved(0.0, -distance)
        } else {
            self.text.moved(distance, 0.0)
        };
    }
}

fn form_matrix(file: &File<'_>, stream: &Stream) -> Matrix {
    let matrix = file.get(&stream.dict, "Matrix").and_then(|it| Matrix::from(it.array()?));
    matrix.unwrap_or(Matrix::IDENTITY)
}

/// Skips the bytes of an inline image.
fn skip_inline_picture(lexer: &mut Lexer<'_>) {
    while let Some(token) = lexer.token() {
        if token == Token::Word(b"ID".to_vec()) {
            break;
        }
    }
    let rest = lexer.rest();
    let ends_here = |at: &usize| {
        let before = at.checked_sub(1).and_then(|it| rest.get(it)).copied();
        let after = rest.get(at + 2).copied();
        before.is_none_or(super::lexer::is_space) && after.is_none_or(super::lexer::is_space)
    };
    let end = memchr::memmem::find_iter(rest, b"EI").find(ends_here);
    lexer.at += end.map_or(rest.len(), |it| it + 2);
}
