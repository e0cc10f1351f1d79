"""Embeds one text N times with ONNX Runtime on one thread, for `encode.rs` to compare with.

    python onnxruntime_encode.py FOLDER TEXT N    # prints [sentences per CPU second, vector]

Needs torch, transformers, onnx and onnxruntime. The network is exported once into FOLDER.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

folder, text, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
exported = folder / "model.onnx"


def export():
    import torch
    from transformers import BertModel

    model = BertModel.from_pretrained(folder, add_pooling_layer=False, attn_implementation="eager").eval()

    class States(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)[0]

    example = torch.ones(2, 8, dtype=torch.long)
    axes = {0: "batch", 1: "tokens"}
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        States(), (example, example, example * 0), exported, input_names=names, output_names=["states"],
        dynamic_axes={it: axes for it in [*names, "states"]}, opset_version=17, dynamo=False)


if not exported.exists():
    export()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(str(exported), options, providers=["CPUExecutionProvider"])
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))


def embed(texts):
    ids = np.array([it.ids for it in tokenizer.encode_batch(texts)], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    states = session.run(None, inputs)[0]
    vectors = states.mean(axis=1)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


embed([text] * 2)
best = 0.0
for _ in range(3):
    start = time.process_time()
    for first in range(0, count, 8):
        vectors = embed([text] * min(8, count - first))
    best = max(best, count / (time.process_time() - start))
print(json.dumps([best, [float(it) for it in vectors[0]]]))
