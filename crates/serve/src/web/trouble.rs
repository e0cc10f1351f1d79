//! What went wrong, in both languages: the page may be read in either.

use http::StatusCode;
use page::{Told, Trouble};
use report::Language;

use crate::failure::{Failure, Kind};
use crate::session::with_detail_in_log;
use crate::words::{Words, in_words, say};

/// A failure as the page tells it.
pub(super) fn trouble(failure: impl Into<Failure>) -> Trouble {
    let failure = with_detail_in_log(failure.into());
    let status = match failure.kind {
        Kind::BadInput | Kind::Untrue => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::InUse => StatusCode::CONFLICT,
        Kind::Limit => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::Network => StatusCode::BAD_GATEWAY,
        Kind::Interrupted => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Internal | Kind::Config | Kind::Data | Kind::BrokenPipe => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    };
    let told = |language| {
        let words = Words::of(language);
        let chain = [vec![failure.error.to_string()], failure.causes()].concat();
        let chain: Vec<String> = chain.iter().map(|it| in_words(it, language)).collect();
        let id = failure.error_id.as_ref().map(|id| say!(words.ui.error_id, id = id));
        let message = [Some(chain.join(": ")), id].into_iter().flatten().collect::<Vec<_>>();
        Told { message: message.join(" · "), hint: failure.hint.as_ref().map(|it| it.text(words)) }
    };
    Trouble { status, english: told(Language::En), japanese: told(Language::Ja) }
}

/// What a thread that ended without an answer means.
pub(super) fn broken(error: tokio::task::JoinError) -> Trouble {
    trouble(Failure::new(Kind::Internal, error))
}
