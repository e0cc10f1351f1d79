//! Spreads sequences over threads: batches by number of tokens, one whole pass per thread.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::device::InUse;
use crate::encoder::{Encoder, Scratch, Sequence};
use crate::load::Options;

/// Buffers that calls have done with, for the next ones of any model.
///
/// Threads come and go with each call, and what a thread frees stays in a heap that the allocator keeps for its like:
/// with buffers of their own for each call, such heaps grew by ten megabytes each until there were eight to a core.
static SPARE: Mutex<Vec<Scratch>> = Mutex::new(Vec::new());

/// Runs the encoder over all sequences and reads a result from the token vectors of each.
///
/// Nothing is padded, so sequences of any lengths share a batch without waste.
pub(crate) fn run<T: Send>(
    encoder: &Encoder,
    sequences: &[Sequence],
    options: &Options,
    read: impl Fn(&[f32]) -> T + Sync,
) -> Vec<T> {
    let Options { threads, batch_tokens, gpu_batch_tokens, .. } = *options;
    let limit = match encoder.device() {
        InUse::Gpu { .. } => gpu_batch_tokens,
        InUse::Cpu => {
            let tokens: usize = sequences.iter().map(|it| it.ids.len()).sum();
            // Every thread should get a share of a small call, too.
            batch_tokens.min(tokens.div_ceil(threads.max(1)))
        }
    };
    let batches = plan(sequences, limit.max(1));
    let hidden = encoder.hidden();
    let work = |batch: &Range<usize>, scratch: &mut Scratch| -> Vec<T> {
        let batch = &sequences[batch.clone()];
        let mut states = encoder.forward(batch, scratch);
        let mut results = Vec::with_capacity(batch.len());
        for sequence in batch {
            let (own, rest) = states.split_at(sequence.ids.len() * hidden);
            results.push(read(own));
            states = rest;
        }
        results
    };
    let threads = threads.clamp(1, batches.len().max(1));
    if threads == 1 {
        let mut scratch = borrow();
        let results = batches.iter().flat_map(|it| work(it, &mut scratch)).collect();
        give_back(scratch, options);
        return results;
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(batches.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut scratch = borrow();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(index) else { break };
                    let results = work(batch, &mut scratch);
                    done.lock()
                        .expect("no thread panics while it holds this")
                        .push((index, results));
                }
                give_back(scratch, options);
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics while it holds this");
    done.sort_by_key(|it| it.0);
    done.into_iter().flat_map(|it| it.1).collect()
}

fn borrow() -> Scratch {
    spare().pop().unwrap_or_default()
}

/// Keeps buffers for as many threads as one call has; more are there only while several calls run at once.
fn give_back(scratch: Scratch, options: &Options) {
    let mut spare = spare();
    if spare.len() < options.threads {
        spare.push(scratch);
    }
}

fn spare() -> MutexGuard<'static, Vec<Scratch>> {
    // Every change is a single push or pop.
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Consecutive sequences of together at most `limit` tokens; one longer than that stands alone.
fn plan(sequences: &[Sequence], limit: usize) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (index, sequence) in sequences.iter().enumerate() {
        if tokens > 0 && tokens + sequence.ids.len() > limit {
            batches.push(start..index);
            (start, tokens) = (index, 0);
        }
        tokens += sequence.ids.len();
    }
    if start < sequences.len() {
        batches.push(start..sequences.len());
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_as_many_tokens_as_allowed() {
        let lengths = [3, 3, 9, 1, 1, 1, 20, 2];
        let sequences = lengths.map(|it| Sequence { ids: vec![0; it], types: vec![0; it] });
        assert_eq!(plan(&sequences, 9), [0..2, 2..3, 3..6, 6..7, 7..8]);
        assert_eq!(plan(&sequences, 38), [0..7, 7..8]);
        assert!(plan(&[], 9).is_empty());
    }
}
