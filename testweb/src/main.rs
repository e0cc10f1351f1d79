//! Starts the small internet for a person to look at.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the address and the table are the result"
)]

use std::path::PathBuf;
use std::process::ExitCode;

use testweb::{SiteKind, TestWeb, World};

const HELP: &str = "\
A small internet in one process.

  cargo run -p testweb [-- OPTIONS]

  --port P    listen on this port of loopback (a free one without it)
  --seed N    which world (1 without it)
  --sites N   how many sites (200 without it)
  --ca FILE   write the certificate of its authority to FILE
";

struct Options {
    port: u16,
    seed: u64,
    sites: usize,
    ca_file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = match read_options(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("testweb: {problem}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match serve(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("testweb: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn read_options(mut words: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options { port: 0, seed: 1, sites: 200, ca_file: None };
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            return Ok(None);
        }
        if !["--port", "--seed", "--sites", "--ca"].contains(&word.as_str()) {
            return Err(format!("`{word}` is not an option"));
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let wrong = || format!("{word} cannot be `{value}`");
        match word.as_str() {
            "--port" => options.port = value.parse().map_err(|_| wrong())?,
            "--seed" => options.seed = value.parse().map_err(|_| wrong())?,
            "--sites" => options.sites = value.parse().map_err(|_| wrong())?,
            _ => options.ca_file = Some(value.into()),
        }
    }
    Ok(Some(options))
}

fn serve(options: &Options) -> Result<(), String> {
    let world = World::of_size(options.seed, options.sites);
    let web = TestWeb::start_on(options.port, world)
        .map_err(|it| format!("cannot listen on port {}: {it}", options.port))?;
    if let Some(file) = &options.ca_file {
        std::fs::write(file, web.ca_pem())
            .map_err(|it| format!("cannot write {}: {it}", file.display()))?;
    }
    describe(&web, options);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|it| it.to_string())?;
    runtime.block_on(tokio::signal::ctrl_c()).map_err(|it| it.to_string())
}

fn describe(web: &TestWeb, options: &Options) {
    println!("The small internet is at http://{}/ (Ctrl-C ends it).\n", web.address());
    println!("{:<16} {:<6} example", "kind", "sites");
    for kind in SiteKind::ALL {
        let mut sites = web.world().sites_of(*kind).peekable();
        let Some(first) = sites.peek() else { continue };
        let example = web.world().pages_of(&first.host).next().map_or("", |it| it.url.as_str());
        println!("{:<16} {:<6} {example}", kind.name(), sites.count());
    }
    let file = options
        .ca_file
        .as_ref()
        .map_or_else(|| "FILE (start with --ca FILE)".to_owned(), |it| it.display().to_string());
    println!("\nTo point lyra at it, in its settings:\n");
    println!("[fetch]\nallow_networks = [\"127.0.0.0/8\"]\nca_file = \"{file}\"\nhosts = [");
    for entry in web.hosts_setting() {
        println!("  \"{entry}\",");
    }
    println!("]");
}
