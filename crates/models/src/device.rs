//! Where a model computes: on the CPU, or on a graphics card with the feature `cuda`.
//!
//! The CPU can always do it. So nothing here is an error to the caller: a card that cannot be had, or
//! that fails in the middle of the work, gives way to the CPU, and a [`Listener`] is told why.

#[cfg(feature = "cuda")]
pub(crate) mod cuda;

use std::fmt::{self, Debug, Display};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

/// Which device is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// A graphics card if there is one that works, otherwise the CPU without a word.
    #[default]
    Auto,
    Cpu,
    /// A graphics card of NVIDIA; the CPU with a warning if there is none.
    Cuda,
}

/// What does the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InUse {
    Cpu,
    Gpu { name: String },
}

impl Display for InUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("CPU"),
            Self::Gpu { name } => write!(f, "GPU ({name})"),
        }
    }
}

/// Why a graphics card does not do the work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    #[error("this program was built without the feature `cuda`")]
    NotBuilt,
    #[error("there is no NVIDIA driver (no libcuda)")]
    NoDriver,
    #[error("the NVIDIA driver is broken or too old: its libcuda has no {symbol}")]
    BadDriver { symbol: &'static str },
    #[error("the NVIDIA driver is for CUDA {found}, at least {needed} is needed")]
    OldDriver { found: String, needed: &'static str },
    #[error("the NVIDIA driver finds no GPU")]
    NoDevice,
    #[error("{name} has compute capability {found}, at least {needed} is needed")]
    OldDevice { name: String, found: String, needed: &'static str },
    #[error("its memory is full")]
    Memory,
    #[error("texts of {tokens} tokens are too long for it, it takes {limit}")]
    Length { tokens: usize, limit: usize },
    #[error("it has no code for the position bias of MPNet")]
    PositionBias,
    /// Anything else, in the driver's words.
    #[error("the NVIDIA driver answers {answer}")]
    Driver { answer: String },
}

/// Tells which device a model would be loaded on; models that are too large for it are on the CPU.
///
/// Only [`Device::Cuda`] can be refused.
pub fn find_device(wanted: Device) -> Result<InUse, DeviceError> {
    let gpu = |name| InUse::Gpu { name };
    match wanted {
        Device::Cpu => Ok(InUse::Cpu),
        Device::Auto => Ok(gpu_name().map_or(InUse::Cpu, gpu)),
        Device::Cuda => gpu_name().map(gpu),
    }
}

#[cfg(feature = "cuda")]
fn gpu_name() -> Result<String, DeviceError> {
    cuda::find().map(|it| it.name)
}

#[cfg(not(feature = "cuda"))]
fn gpu_name() -> Result<String, DeviceError> {
    Err(DeviceError::NotBuilt)
}

/// Receives what the user of a model should know while it keeps working.
#[derive(Clone, Default)]
pub struct Listener(Option<Arc<Listen>>);

type Listen = dyn Fn(&str) + Send + Sync;

impl Listener {
    pub fn new(listen: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listen)))
    }

    fn tell(&self, message: &str) {
        if let Some(listen) = &self.0 {
            listen(message);
        }
    }

    pub(crate) fn not_used(&self, reason: &DeviceError) {
        self.tell(&format!("the GPU cannot be used: {reason}; models run on the CPU"));
    }

    fn failed(&self, reason: &DeviceError) {
        self.tell(&format!("the GPU failed: {reason}; continuing on the CPU"));
    }
}

impl Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Listener" } else { "Listener (nobody)" })
    }
}

/// Two are equal when the same one listens.
impl PartialEq for Listener {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Eq for Listener {}

/// The layers of an encoder, copied to a device.
pub(crate) trait Accelerator: Debug + Send + Sync {
    fn device(&self) -> String;

    /// Replaces what goes into the first layer by what comes out of the last: one row per token,
    /// sequences of these lengths one behind the other. After a failure the rows may be anything.
    fn run(&self, states: &mut [f32], lengths: &[usize]) -> Result<(), DeviceError>;
}

/// An accelerator as long as it works.
#[derive(Debug)]
pub(crate) struct Accelerated {
    accelerator: Box<dyn Accelerator>,
    /// After a failure the card is left alone: most failures stay until the process ends.
    failed: AtomicBool,
    listener: Listener,
}

impl Accelerated {
    pub(crate) fn new(accelerator: Box<dyn Accelerator>, listener: Listener) -> Self {
        Self { accelerator, failed: AtomicBool::new(false), listener }
    }

    pub(crate) fn device(&self) -> Option<String> {
        (!self.failed.load(Ordering::Relaxed)).then(|| self.accelerator.device())
    }

    /// Whether the work was done; where not, the rows may be anything.
    pub(crate) fn run(&self, states: &mut [f32], lengths: &[usize]) -> bool {
        if self.failed.load(Ordering::Relaxed) {
            return false;
        }
        let Err(reason) = self.accelerator.run(states, lengths) else { return true };
        // Of several threads that meet the failure, one tells.
        if !self.failed.swap(true, Ordering::Relaxed) {
            self.listener.failed(&reason);
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::encoder::{Encoder, Scratch, Sequence};

    /// Writes 7 everywhere the first time, then breaks and leaves rubbish.
    #[derive(Debug)]
    struct Breaking {
        calls: Arc<AtomicUsize>,
    }

    impl Accelerator for Breaking {
        fn device(&self) -> String {
            "a card".to_owned()
        }

        fn run(&self, states: &mut [f32], lengths: &[usize]) -> Result<(), DeviceError> {
            assert_eq!(lengths, [5, 3]);
            if self.calls.fetch_add(1, Ordering::Relaxed) == 0 {
                states.fill(7.0);
                return Ok(());
            }
            states.fill(f32::NAN);
            Err(DeviceError::Memory)
        }
    }

    #[test]
    fn a_device_that_fails_in_the_middle_gives_way_to_the_cpu_for_good() {
        let sequence = |length: u32| {
            let ids: Vec<u32> = (1..=length).collect();
            Sequence { types: vec![0; ids.len()], ids }
        };
        let batch = [sequence(5), sequence(3)];
        let forward = |encoder: &Encoder| encoder.forward(&batch, &mut Scratch::default()).to_vec();
        let plain = Encoder::tiny("bert");
        let expected = forward(&plain);
        assert_eq!(plain.device(), InUse::Cpu);

        let heard = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&heard);
        let listener = Listener::new(move |message| notes.lock().unwrap().push(message.to_owned()));
        let calls = Arc::new(AtomicUsize::new(0));
        let broken = Breaking { calls: Arc::clone(&calls) };
        let encoder = Encoder::tiny("bert").with(Accelerated::new(Box::new(broken), listener));
        assert_eq!(encoder.device(), InUse::Gpu { name: "a card".to_owned() });
        assert_eq!(forward(&encoder), vec![7.0; expected.len()]);
        assert_eq!(forward(&encoder), expected);
        assert_eq!(forward(&encoder), expected);
        assert_eq!(encoder.device(), InUse::Cpu);
        assert_eq!(calls.load(Ordering::Relaxed), 2);
        assert_eq!(
            *heard.lock().unwrap(),
            ["the GPU failed: its memory is full; continuing on the CPU"]
        );
    }

    #[test]
    fn the_compiled_kernels_are_made_from_their_source() {
        let source = blake3::hash(include_bytes!("device/kernels.cu"));
        let first = include_str!("device/kernels.ptx").lines().next();
        let expected = format!("// made from kernels.cu, blake3 {source}");
        assert_eq!(first, Some(expected.as_str()));
    }
}
