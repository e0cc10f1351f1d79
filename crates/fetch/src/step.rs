//! What an outcome leads to: the one place where the next way to a page is chosen.

use crate::{Reason, Route};

/// What can be done about a missed page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// Another way, which was not taken yet.
    Take(Route),
    /// Nobody asks the domain for a while.
    Rest,
    /// A person has to open the page.
    Person,
    /// Asking again would bring the same.
    Nothing,
}

/// Says what a failure on one route leads to. A route is never taken twice for one failure.
pub fn next_step(reason: Reason, route: Route) -> NextStep {
    match reason {
        Reason::Login | Reason::Challenge => NextStep::Person,
        Reason::Forbidden
        | Reason::TooManyRequests
        | Reason::ServerError
        | Reason::TimedOut
        | Reason::CannotConnect => route_after(route).map_or(NextStep::Rest, NextStep::Take),
        Reason::Resting | Reason::DailyBudget => NextStep::Rest,
        Reason::BrokenAnswer | Reason::BadCertificate => {
            route_after(route).map_or(NextStep::Nothing, NextStep::Take)
        }
        Reason::Offline
        | Reason::BadAddress
        | Reason::PrivateAddress
        | Reason::Robots
        | Reason::BlockedDomain
        | Reason::UnknownHost
        | Reason::TooLarge
        | Reason::TooManyRedirects
        | Reason::Paywall
        | Reason::NotFound
        | Reason::OtherStatus
        | Reason::NotRecorded => NextStep::Nothing,
    }
}

/// The route that comes after one, in the order of trying.
const fn route_after(route: Route) -> Option<Route> {
    match route {
        Route::Http => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_lead_to_a_rest_a_person_or_nothing() {
        let after = |reason| next_step(reason, Route::Http);
        assert_eq!(after(Reason::Forbidden), NextStep::Rest);
        assert_eq!(after(Reason::TooManyRequests), NextStep::Rest);
        assert_eq!(after(Reason::TimedOut), NextStep::Rest);
        assert_eq!(after(Reason::Challenge), NextStep::Person);
        assert_eq!(after(Reason::Login), NextStep::Person);
        assert_eq!(after(Reason::NotFound), NextStep::Nothing);
        assert_eq!(after(Reason::Robots), NextStep::Nothing);
    }
}
