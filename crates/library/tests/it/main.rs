mod audit;
mod bridge;
mod errors;
mod vault_find;
#[cfg(unix)]
mod vault_kills;
mod vault_paths;
mod vault_writes;
