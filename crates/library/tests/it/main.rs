mod errors;
#[cfg(unix)]
mod vault_kills;
mod vault_paths;
mod vault_writes;
