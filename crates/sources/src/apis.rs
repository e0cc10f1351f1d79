//! Official public APIs: declared in `sources/*.toml`, all served by one connector.
//!
//! A declaration says what to send, how to page, where the records lie in the answer and what their fields mean; the
//! code knows none of the APIs. Read [`Api`] first. `path` has the small language of the declarations.

mod answer;
mod declaration;
mod lookup;
mod path;
mod request;
mod search;
mod settings;
mod shipped;
mod xml;

pub use answer::{ApiPage, ApiRecord};
pub use declaration::{Api, ApiDeclarationError};
pub use lookup::LookedUp;
pub use request::Position;
pub use search::{ApiAnswer, Apis};
pub use settings::ApiSettings;
pub use shipped::{ApiProblem, SHIPPED_APIS};
