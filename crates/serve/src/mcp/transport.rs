//! How clients reach the server.

pub(crate) mod http;
pub(crate) mod stdio;
