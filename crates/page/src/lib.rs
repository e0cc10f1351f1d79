//! The page: the whole product in a browser on the same machine, drawn on the server, without a script that is needed.
//!
//! [`serve`] answers requests; `door` decides who may ask at all, `routes` what a path shows, `view` how it looks.
//! Everything the page knows and does goes through [`House`], which the program gives it: the same engine, graph and
//! words as the command line and assistants have. Texts from outside are escaped by the templates; nothing here makes
//! markup of them. ADR 34 has the reasons.

mod door;
mod house;
mod live;
mod reports;
mod routes;
mod view;
mod words;

pub use door::{Opening, serve};
pub use house::{
    Changed, Check, CheckState, Engine, Export, House, Later, Limits, ModelRow, NewQuestion,
    Original, Question, Setting, Told, Trouble,
};
pub use live::Board;
