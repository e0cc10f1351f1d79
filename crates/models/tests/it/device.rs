//! Where models compute: what is said when a graphics card cannot be had, and that it is right when
//! it can.

use std::sync::{Arc, Mutex};

use models::{
    Arithmetic, Device, DeviceError, InUse, Listener, Options, Pair, Verdict, find_device,
};

use crate::support::{ALL, Files, STANCE};

const TEXTS: [&str; 4] = [
    "Water boils at 100 degrees.",
    "",
    "水は百度で沸騰する。",
    "A longer text, in one piece, twice.",
];

/// Options for a device, and what is said through them.
fn listening(device: Device) -> (Options, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&heard);
    let listener = Listener::new(move |message| notes.lock().unwrap().push(message.to_owned()));
    // A card computes in floats.
    let options = Options { arithmetic: Arithmetic::Float, ..Options::default() };
    (Options { device, listener, ..options }, heard)
}

fn vectors(name: &str, options: &Options) -> Vec<Vec<f32>> {
    let settings = r#"{"kind": "embedding"}"#;
    Files::of(name).with_settings(settings).embedder(options).embed(&TEXTS).unwrap()
}

#[test]
fn a_gpu_that_cannot_be_had_is_named_and_the_cpu_computes_the_same_bits() {
    if find_device(Device::Cuda).is_ok() {
        println!("skipped: this machine has a GPU");
        return;
    }
    let (reason, expected) = if cfg!(feature = "cuda") {
        let expected = "the GPU cannot be used: there is no NVIDIA driver (no libcuda); \
                        models run on the CPU";
        (DeviceError::NoDriver, expected)
    } else {
        let expected = "the GPU cannot be used: this program was built without the feature `cuda`; \
                        models run on the CPU";
        (DeviceError::NotBuilt, expected)
    };
    assert_eq!(find_device(Device::Cuda), Err(reason));
    let (on_cpu, _) = listening(Device::Cpu);
    for name in ALL {
        let (options, heard) = listening(Device::Cuda);
        let found = vectors(name, &options);
        assert_eq!(*heard.lock().unwrap(), [expected], "{name}");
        assert_eq!(found, vectors(name, &on_cpu), "{name}");
    }
    let (options, heard) = listening(Device::Cuda);
    let model = Files::of("bert").stance(&options);
    assert_eq!((model.device(), heard.lock().unwrap().len()), (InUse::Cpu, 1));
}

#[test]
fn without_a_gpu_nothing_is_said_unless_one_was_asked_for() {
    if find_device(Device::Cuda).is_ok() {
        println!("skipped: this machine has a GPU");
        return;
    }
    for device in [Device::Auto, Device::Cpu] {
        assert_eq!(find_device(device), Ok(InUse::Cpu));
        let (options, heard) = listening(device);
        let model = Files::of("bert-embedder").embedder(&options);
        assert_eq!(model.embed(&TEXTS).unwrap().len(), TEXTS.len());
        assert_eq!(model.device(), InUse::Cpu);
        assert_eq!(*heard.lock().unwrap(), [""; 0], "{device:?}");
    }
}

#[test]
fn a_gpu_computes_what_the_cpu_computes_whatever_the_batch() {
    let gpu = match find_device(Device::Cuda) {
        Ok(gpu) => gpu,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let texts: Vec<&str> = TEXTS.into_iter().cycle().take(200).collect();
    let (on_cpu, _) = listening(Device::Cpu);
    for name in ALL {
        let (options, heard) = listening(Device::Cuda);
        let files = || Files::of(name).with_settings(r#"{"kind": "embedding"}"#);
        let model = files().embedder(&options);
        assert_eq!(model.device(), gpu);
        let together = model.embed(&texts).unwrap();
        for (text, found) in texts.iter().zip(&together).take(TEXTS.len()) {
            assert_eq!(model.embed(&[text]).unwrap()[0], *found, "{name} alone: {text}");
        }
        let expected = files().embedder(&on_cpu).embed(&texts).unwrap();
        for (found, expected) in together.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-4, "{name}: {found} instead of {expected}");
        }
        assert_eq!(*heard.lock().unwrap(), [""; 0], "{name}");
    }
    for name in STANCE {
        let (options, heard) = listening(Device::Cuda);
        let judge = |options: &Options| {
            let model = Files::of(name).with_settings(r#"{"languages": ["*"]}"#).stance(options);
            // A stance model abstains from a text without words.
            let passages = TEXTS.iter().filter(|it| !it.is_empty());
            let pairs: Vec<_> = passages.map(|passage| Pair { passage, claim: TEXTS[0] }).collect();
            model.judge(&pairs).unwrap()
        };
        for (found, expected) in judge(&options).into_iter().zip(judge(&on_cpu)) {
            let [found, expected] = [found, expected].map(|verdict| match verdict {
                Verdict::Judged { supports, refutes, neutral, .. } => [supports, refutes, neutral],
                Verdict::Abstained { language } => panic!("{name} abstained from {language}"),
            });
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-4, "{name}: {found} instead of {expected}");
            }
        }
        assert_eq!(*heard.lock().unwrap(), [""; 0], "{name}");
    }
}

/// A file that is called like the driver's library and is something else must not stop the program.
#[cfg(all(feature = "cuda", target_os = "linux"))]
#[test]
fn a_library_that_only_has_the_name_of_the_driver_is_refused() {
    use std::{env, fs, process::Command};

    const CHILD: &str = "LYRA_TEST_FOREIGN_DRIVER";
    if env::var_os(CHILD).is_some() {
        assert_eq!(
            find_device(Device::Cuda),
            Err(DeviceError::BadDriver { symbol: "cuDriverGetVersion" })
        );
        return;
    }
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let library = maps.split_whitespace().find(|it| it.contains("libgcc_s.so")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::copy(library, folder.path().join("libcuda.so")).unwrap();
    let name = "device::a_library_that_only_has_the_name_of_the_driver_is_refused";
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .env("LD_LIBRARY_PATH", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("1 passed"), "{said}");
}
