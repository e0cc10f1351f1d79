//! An NVIDIA card through its driver: finding it, copying to it, and the three steps of a layer.
//!
//! Nothing but the driver's `libcuda` is needed, and it is loaded when a card is asked for: the
//! program starts without it. The kernels are compiled text (`kernels.ptx`), which the driver
//! finishes for the card at hand; `make_ptx.py` makes it from `kernels.cu`.
//!
//! Everything runs on one stream, in the order it was asked for.
#![expect(unsafe_code, reason = "launches kernels, whose arguments the compiler cannot check")]

use std::ffi::{c_int, c_void};
use std::sync::{Arc, Mutex, OnceLock};

use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute, CUresult};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg,
    result,
};
use cudarc::nvrtc::Ptx;

use super::DeviceError;
use crate::config::Activation;

type Result<T, E = DeviceError> = std::result::Result<T, E>;

const KERNELS: &str = include_str!("kernels.ptx");
/// What `kernels.ptx` is written for, and what that asks of driver and card.
const DRIVER: (c_int, &str) = (11_080, "11.8");
const CAPABILITY: ((c_int, c_int), &str) = ((6, 0), "6.0");

/// Rows and columns that one block of `linear` computes, and its threads.
const TILE: usize = 64;
const LINEAR_THREADS: u32 = 256;
/// Threads of the other two kernels.
const THREADS: usize = 128;
/// Floats of shared memory that every card has, less those that `attend` declares itself.
const SHARED_FLOATS: usize = 48 * 1024 / 4 - 4;

/// The functions called in `libcuda`. The bindings panic if one is missing, so they are checked first.
const SYMBOLS: [&str; 26] = [
    "cuDriverGetVersion",
    "cuInit",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDeviceGetAttribute",
    "cuDevicePrimaryCtxRetain",
    "cuDevicePrimaryCtxRelease_v2",
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuStreamSynchronize",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuModuleGetFunction",
    "cuLaunchKernel",
    "cuEventDestroy_v2",
    "cuStreamDestroy_v2",
];

/// The first card of this machine.
#[derive(Debug, Clone)]
pub(crate) struct GpuInfo {
    pub(crate) name: String,
}

/// Looks for a card that can be used; nothing is taken from it yet.
pub(crate) fn find() -> Result<GpuInfo> {
    // SAFETY: loads the library that the driver installed under this name.
    if !unsafe { sys::is_culib_present() } {
        return Err(DeviceError::NoDriver);
    }
    // SAFETY: as above, and it was there a moment ago.
    let library = unsafe { sys::culib() };
    for symbol in SYMBOLS {
        // SAFETY: the address is looked at and never called.
        if unsafe { library.get::<*const c_void>(symbol.as_bytes()) }.is_err() {
            return Err(DeviceError::BadDriver { symbol });
        }
    }
    let mut version = 0;
    // SAFETY: writes one number into the place it is given.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result()?;
    if version < DRIVER.0 {
        let found = format!("{}.{}", version / 1000, version % 1000 / 10);
        return Err(DeviceError::OldDriver { found, needed: DRIVER.1 });
    }
    result::init()?;
    if result::device::get_count()? == 0 {
        return Err(DeviceError::NoDevice);
    }
    let device = result::device::get(0)?;
    let name = result::device::get_name(device)?;
    // SAFETY: the device was just handed out by the driver.
    let attribute = |of| unsafe { result::device::get_attribute(device, of) };
    let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    if (major, minor) < CAPABILITY.0 {
        let found = format!("{major}.{minor}");
        return Err(DeviceError::OldDevice { name, found, needed: CAPABILITY.1 });
    }
    Ok(GpuInfo { name })
}

/// A card that is ready to compute.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) name: String,
    /// Held while a batch is computed, so that only one takes memory.
    pub(crate) turn: Mutex<()>,
    stream: Arc<CudaStream>,
    linear: CudaFunction,
    attend: CudaFunction,
    add_and_norm: CudaFunction,
}

/// Floats on the card.
pub(crate) type Numbers = CudaSlice<f32>;

/// A linear layer on the card.
#[derive(Debug)]
pub(crate) struct Matrix {
    /// `depth` rows of `columns`.
    pub(crate) values: Numbers,
    pub(crate) bias: Numbers,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
}

/// The projected distance embeddings of one DeBERTa layer: heads by depth by distances.
#[derive(Debug)]
pub(crate) struct Positions {
    pub(crate) keys: Option<Numbers>,
    pub(crate) queries: Option<Numbers>,
}

/// The embedding of each distance, from the farthest before to the farthest after.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) by_distance: CudaSlice<i32>,
    pub(crate) distances: usize,
}

/// The form of one attention step, the same for all layers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
    pub(crate) longest: usize,
    pub(crate) scale: f32,
}

impl Gpu {
    /// The card that all models of the process share; opened at the first call.
    pub(crate) fn shared() -> Result<Arc<Self>> {
        static GPU: OnceLock<Result<Arc<Gpu>>> = OnceLock::new();
        GPU.get_or_init(|| Self::open().map(Arc::new)).clone()
    }

    fn open() -> Result<Self> {
        let GpuInfo { name } = find()?;
        let context = CudaContext::new(0)?;
        // SAFETY: with a single stream there is nothing to wait for between streams.
        unsafe { context.disable_event_tracking() };
        let module = context.load_module(Ptx::from_src(KERNELS))?;
        Ok(Self {
            name,
            turn: Mutex::new(()),
            stream: context.default_stream(),
            linear: module.load_function("linear")?,
            attend: module.load_function("attend")?,
            add_and_norm: module.load_function("add_and_norm")?,
        })
    }

    /// The longest sequence whose scores fit into a block's memory.
    pub(crate) fn longest(depth: usize) -> usize {
        SHARED_FLOATS - THREADS - depth
    }

    pub(crate) fn upload(&self, values: &[f32]) -> Result<Numbers> {
        Ok(self.stream.clone_htod(values)?)
    }

    pub(crate) fn upload_whole(&self, values: &[i32]) -> Result<CudaSlice<i32>> {
        Ok(self.stream.clone_htod(values)?)
    }

    /// Room for this many numbers, which hold anything.
    pub(crate) fn room(&self, count: usize) -> Result<Numbers> {
        // SAFETY: any bits are valid floats, and the caller writes them before reading.
        Ok(unsafe { self.stream.alloc(count) }?)
    }

    /// Waits for all that was asked for, and copies the result back.
    pub(crate) fn download(&self, from: &Numbers, to: &mut [f32]) -> Result<()> {
        self.stream.memcpy_dtoh(from, to)?;
        // What failed on the card or in the copy shows here.
        Ok(self.stream.synchronize()?)
    }

    /// `output = activation(input * matrix + bias)`, row by row.
    pub(crate) fn linear(
        &self,
        input: &Numbers,
        matrix: &Matrix,
        activation: Option<Activation>,
        rows: usize,
        output: &mut Numbers,
    ) -> Result<()> {
        let Matrix { values, bias, depth, columns } = matrix;
        assert!(input.len() >= rows * depth && output.len() >= rows * columns);
        assert!(values.len() >= depth * columns && bias.len() >= *columns);
        let activation = match activation {
            None => 0,
            Some(Activation::Gelu) => 1,
            Some(Activation::GeluTanh) => 2,
            Some(Activation::Relu) => 3,
        };
        let sizes = [int(rows), int(*depth), int(*columns), activation];
        let grid_dim = (rows.div_ceil(TILE) as u32, columns.div_ceil(TILE) as u32, 1);
        let form =
            LaunchConfig { grid_dim, block_dim: (LINEAR_THREADS, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&self.linear);
        launch.arg(input).arg(values).arg(bias).arg(output);
        for size in &sizes {
            launch.arg(size);
        }
        // SAFETY: the arguments are those of the kernel, and the sizes were checked above.
        unsafe { launch.launch(form) }?;
        Ok(())
    }

    /// `values = norm(values + more)`, row by row.
    pub(crate) fn add_and_norm(
        &self,
        values: &mut Numbers,
        more: &Numbers,
        norm: &(Numbers, Numbers),
        epsilon: f32,
        rows: usize,
    ) -> Result<()> {
        let (weight, bias) = norm;
        let hidden = weight.len();
        assert!(values.len() >= rows * hidden && more.len() >= rows * hidden);
        assert!(bias.len() == hidden);
        let width = int(hidden);
        let mut launch = self.stream.launch_builder(&self.add_and_norm);
        launch.arg(values).arg(more).arg(weight).arg(bias).arg(&width).arg(&epsilon);
        // SAFETY: as for `linear`.
        unsafe { launch.launch(blocks_of_threads(rows, 1, 0)) }?;
        Ok(())
    }

    /// Fills `context` from `projected` (query, key, value in one row); `spans` holds, for each
    /// token, the first of its sequence and how many that has.
    pub(crate) fn attend(
        &self,
        shape: Shape,
        projected: &Numbers,
        spans: &CudaSlice<i32>,
        positions: Option<(&Positions, &Places)>,
        context: &mut Numbers,
    ) -> Result<()> {
        let Shape { hidden, heads, longest, scale } = shape;
        let (depth, rows) = (hidden / heads, spans.len() / 2);
        assert!(projected.len() >= rows * 3 * hidden && context.len() >= rows * hidden);
        assert!(longest <= Self::longest(depth));
        let nothing = 0_u64;
        let (keys, queries) = match positions {
            Some((positions, places)) => {
                let whole = heads * depth * places.distances;
                let both = [&positions.keys, &positions.queries];
                assert!(both.iter().all(|rows| rows.as_ref().is_none_or(|it| it.len() == whole)));
                assert!(places.by_distance.len() >= 2 * longest - 1);
                (positions.keys.as_ref(), positions.queries.as_ref())
            }
            None => (None, None),
        };
        let sizes = [int(hidden), int(depth), int(longest)];
        let (distances, farthest) = positions.map_or((0, 0), |(_, places)| {
            (int(places.distances), int(places.by_distance.len() / 2))
        });
        let mut launch = self.stream.launch_builder(&self.attend);
        launch.arg(projected).arg(spans).arg(context);
        launch.arg(&sizes[0]).arg(&sizes[1]).arg(&scale).arg(&sizes[2]);
        for side in [keys, queries] {
            match side {
                Some(numbers) => launch.arg(numbers),
                None => launch.arg(&nothing),
            };
        }
        match positions {
            Some((_, places)) => launch.arg(&places.by_distance),
            None => launch.arg(&nothing),
        };
        launch.arg(&distances).arg(&farthest);
        let shared = (longest + depth + THREADS) * size_of::<f32>();
        // SAFETY: as for `linear`; the caller's spans lie within `projected`, and no sequence is longer
        // than `longest`.
        unsafe { launch.launch(blocks_of_threads(rows, heads, shared)) }?;
        Ok(())
    }
}

fn blocks_of_threads(x: usize, y: usize, shared: usize) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (x as u32, y as u32, 1),
        block_dim: (THREADS as u32, 1, 1),
        shared_mem_bytes: shared as u32,
    }
}

fn int(size: usize) -> c_int {
    c_int::try_from(size).expect("rows and columns are counted in thousands")
}

impl From<DriverError> for DeviceError {
    fn from(error: DriverError) -> Self {
        match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Self::Memory,
            CUresult::CUDA_ERROR_NO_DEVICE => Self::NoDevice,
            other => {
                let words = error.error_string().map(|it| it.to_string_lossy().into_owned());
                let answer = match words {
                    Ok(words) => format!("{other:?} ({words})"),
                    Err(_) => format!("{other:?}"),
                };
                Self::Driver { answer }
            }
        }
    }
}
