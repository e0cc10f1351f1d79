//! What this process has cost so far, where the system says it (Linux).

use std::fs;

/// The most memory it has held, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}

/// Makes [`peak_memory`] count from now on. Where the system does not allow it, the peak stays that of the whole run.
pub(crate) fn reset_peak_memory() {
    drop(fs::write("/proc/self/clear_refs", "5"));
}

/// Seconds of processor time, all threads together. Unlike the clock on the wall they do not grow with the load
/// of the machine.
pub(crate) fn cpu_seconds() -> Option<f64> {
    /// Ticks of the kernel's accounting in a second, on every Linux there is.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program stands in brackets and may hold anything; user and system time are the 12th and 13th after it.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system) = (fields.next()?.parse::<f64>().ok()?, fields.next()?.parse::<f64>().ok()?);
    Some((user + system) / TICKS)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_what_the_process_costs() {
        let before = cpu_seconds().unwrap();
        let sum = (0..200_000_000_u64).fold(0_u64, |sum, it| std::hint::black_box(sum ^ it));
        std::hint::black_box(sum);
        assert!(cpu_seconds().unwrap() > before);
        assert!(peak_memory().unwrap() > 1_000_000);
    }
}
