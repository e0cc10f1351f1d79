"""Bases in parts small enough to send to the machine with the GPU: int8 with a scale for every 64 weights.

    python send.py GTE_FOLDER OUT SIZE        GTE_FOLDER: written by ../base.py gte-small
"""
import importlib.util, sys
from pathlib import Path

from mpnet import parts, travelling

if __name__ == "__main__":
    above = Path(__file__).resolve().parent.parent / "base.py"
    spec = importlib.util.spec_from_file_location("above", above)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print(parts(travelling(module.load_base(sys.argv[1])[1]), sys.argv[2], "gte", int(sys.argv[3])), "parts")
