"""The built-in models in ONNX Runtime on one thread, for `encode.rs` to compare with.

    python onnxruntime_side.py WEIGHTS FOLDER

WEIGHTS holds the folders of the models in the binary. Their int8 weights are made float32 again and exported into
FOLDER once; the int8 networks are ONNX Runtime's own (dynamic, per channel) of the same floats. Then every line
of standard input is a question, {"model": "embed", "precision": "fp32", "batch": 8, "texts": [..]} with pairs of
claim and passage for "stance", and every line of the answer {"seconds": CPU, "tokens": [..], "rows": [..]}.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

weights, folder = Path(sys.argv[1]), Path(sys.argv[2])
NAMES = ["input_ids", "attention_mask", "token_type_ids"]
# What a model says about itself, and where its tokenizer and weights lie.
FOLDERS = {"embed": ("bilingual/embed", "bilingual"), "stance": ("stance-en", "stance-en")}


def floats(path):
    import torch
    from safetensors.torch import load_file

    stored = load_file(path)
    values = {}
    for name, tensor in stored.items():
        if tensor.dtype == torch.int8:
            tensor = tensor.float() * stored[f"{name}_scale"].reshape(-1, 1)
        if not name.endswith("_scale"):
            values[name] = tensor.float()
    return values


def export(kind):
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import BertConfig, BertForSequenceClassification, BertModel

    config = BertConfig.from_pretrained(weights / FOLDERS[kind][0], attn_implementation="eager")
    if kind == "stance":
        model = BertForSequenceClassification(config)
    else:
        model = BertModel(config, add_pooling_layer=False)
    values = floats(weights / FOLDERS[kind][1] / "model.safetensors")
    if kind == "embed":  # the file also holds the upper layers and the head of the stance model
        values = {name.removeprefix("bert."): it for name, it in values.items()}
        values = {name: it for name, it in values.items() if name in model.state_dict()}
    missing, unexpected = model.load_state_dict(values, strict=False)
    missing = [it for it in missing if not it.endswith("position_ids")]
    assert not missing and not unexpected, (missing, unexpected)
    model.eval()

    class First(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]

    example = torch.ones(2, 8, dtype=torch.long)
    axes = {it: {0: "batch", 1: "tokens"} for it in NAMES}
    axes["out"] = {0: "batch"} if kind == "stance" else {0: "batch", 1: "tokens"}
    full = folder / f"{kind}-fp32.onnx"
    torch.onnx.export(
        First(), (example, example, example * 0), full, input_names=NAMES, output_names=["out"], dynamic_axes=axes,
        opset_version=17, dynamo=False)
    quantize_dynamic(full, folder / f"{kind}-int8.onnx", per_channel=True, weight_type=QuantType.QInt8)


class Side:
    def __init__(self, kind, precision):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        path = str(folder / f"{kind}-{precision}.onnx")
        self.kind = kind
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(weights / FOLDERS[kind][1] / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.enable_padding(pad_id=0)

    def rows(self, texts):
        encoded = self.tokenizer.encode_batch([tuple(it) if isinstance(it, list) else it for it in texts])
        inputs = [
            np.array([getattr(it, name) for it in encoded], dtype=np.int64)
            for name in ("ids", "attention_mask", "type_ids")
        ]
        out = self.session.run(None, dict(zip(NAMES, inputs)))[0]
        mask = inputs[1]
        if self.kind == "embed":
            out = (out * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            out = out / np.linalg.norm(out, axis=1, keepdims=True)
        return mask.sum(axis=1).tolist(), out.tolist()


for kind in ("embed", "stance"):
    if not (folder / f"{kind}-int8.onnx").exists():
        export(kind)
sides = {}
print(json.dumps({"onnxruntime": onnxruntime.__version__}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    key = question["model"], question["precision"]
    if key not in sides:
        sides[key] = Side(*key)
        sides[key].rows(question["texts"][:2])
    texts, batch = question["texts"], question["batch"]
    tokens, rows = [], []
    start = time.process_time()
    for first in range(0, len(texts), batch):
        lengths, found = sides[key].rows(texts[first : first + batch])
        tokens += lengths
        rows += found
    print(json.dumps({"seconds": time.process_time() - start, "tokens": tokens, "rows": rows}), flush=True)
