//! Annotations that readers draw on a page: values of form fields, remarks, stamps.

use super::super::object::{Dict, Object, Stream};
use super::paint::Area;
use super::{Runner, State, form_matrix};

/// Annotations of a page that are looked at.
const MAX_ANNOTATIONS: usize = 10_000;
/// Bits of the flags of an annotation that keep it off the screen: hidden, not for viewing.
const UNSEEN: usize = 1 << 1 | 1 << 5;

impl Runner<'_, '_> {
    /// Draws the annotations of a page over it.
    pub(super) fn annotations(&mut self, page: &Dict) {
        let file = self.file;
        let Some(listed) = file.get(page, "Annots") else { return };
        for entry in listed.array().unwrap_or_default().iter().take(MAX_ANNOTATIONS) {
            if !self.spend(1) {
                return;
            }
            if let Some(dict) = file.resolve(entry).dict() {
                self.annotation(dict);
            }
        }
    }

    fn annotation(&mut self, dict: &Dict) {
        let file = self.file;
        let flags = file.get(dict, "F").and_then(|it| it.count()).unwrap_or(0);
        // A popup window opens on a click; what it would show is another annotation's.
        if flags & UNSEEN != 0 || dict.name("Subtype") == Some(b"Popup") {
            return;
        }
        let Some(stream) = self.appearance(dict) else { return };
        let area_of =
            |dict: &Dict, key| file.get(dict, key).and_then(|it| Area::of_box(it.array()?));
        let (Some(place), Some(own)) = (area_of(dict, "Rect"), area_of(&stream.dict, "BBox"))
        else {
            return;
        };
        let Some(matrix) = own.through(form_matrix(file, &stream)).onto(&place) else { return };
        // Fields may draw with the fonts of the form they belong to.
        let root = file.catalogue();
        let form = root.as_ref().and_then(|it| file.get(it.dict()?, "AcroForm"));
        let shared = form.as_ref().and_then(|it| file.get(it.dict()?, "DR"));
        let empty = Dict::default();
        let resources = shared.as_ref().and_then(|it| it.dict()).unwrap_or(&empty);
        self.draw_form(&stream, &State { matrix, ..State::FIRST }, resources, 1);
    }

    /// Its normal appearance: the drawing, or that of the state it is in (a ticked box).
    fn appearance(&self, dict: &Dict) -> Option<Stream> {
        let all = self.file.get(dict, "AP")?;
        let normal = self.file.get(all.dict()?, "N")?;
        match &*normal {
            Object::Stream(stream) => Some(stream.clone()),
            Object::Dict(states) => {
                let state = self.file.get(dict, "AS")?;
                let Object::Name(name) = &*state else { return None };
                match &*self.file.get(states, std::str::from_utf8(name).ok()?)? {
                    Object::Stream(stream) => Some(stream.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
