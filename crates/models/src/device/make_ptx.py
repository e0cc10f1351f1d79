"""Compiles kernels.cu to kernels.ptx, which any NVIDIA driver for CUDA 11.8 or later can run.

    pip install nvidia-cuda-nvrtc-cu11==11.8.89 blake3
    python make_ptx.py

Needs neither a GPU nor a CUDA toolkit. The first line of the result names the source it was made
from; a test compares it with the source beside it.
"""

import ctypes
from pathlib import Path

import blake3
import nvidia.cuda_nvrtc

HERE = Path(__file__).parent
OPTIONS = [b"--gpu-architecture=compute_60", b"--std=c++14"]


def compile_ptx(source: bytes) -> bytes:
    folder = Path(nvidia.cuda_nvrtc.__path__[0]) / "lib"
    nvrtc = ctypes.CDLL(str(folder / "libnvrtc.so.11.2"))
    program = ctypes.c_void_p()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernels.cu", 0, None, None))
    options = (ctypes.c_char_p * len(OPTIONS))(*OPTIONS)
    status = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), options)
    size = ctypes.c_size_t()
    if status != 0:
        check(nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
        log = ctypes.create_string_buffer(size.value)
        check(nvrtc.nvrtcGetProgramLog(program, log))
        raise SystemExit(log.value.decode())
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    return ptx.value


def check(status: int) -> None:
    if status != 0:
        raise SystemExit(f"NVRTC answered {status}")


if __name__ == "__main__":
    source = (HERE / "kernels.cu").read_bytes()
    stamp = f"// made from kernels.cu, blake3 {blake3.blake3(source).hexdigest()}\n"
    (HERE / "kernels.ptx").write_bytes(stamp.encode() + compile_ptx(source))
