"""The mean of the weights of several small students, if it judges the dev sets better than each of them.

    python mean.py ROWS TOKENIZER.json OUT NAME NAME...      writes OUT/mean.safetensors (int8), OUT/mean.json, OUT/mean.eval.npz
"""
import json, sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from student import MARKS, Bank, Net, LAYERS, dequantized, from_bert, judge, load, named, quantized, rows_of, told, with_head

rows, tokenizer, out, names = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), sys.argv[4:]
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
ev = rows_of(rows / "en_eval.xz")
test = Bank(tokenizer)
test.add(test.ids([r[1] for r in ev], 160), test.ids([r[2] for r in ev], 510), np.array([r[3] for r in ev]), None, "dev", [r[0] for r in ev], None)
test.closed()
states = {n: load(out, n) for n in names}
states["mean"] = {k: sum(s[k] for s in states.values()) / len(names) for k in states[names[0]]}
best = None
for name, own in states.items():
    tensors = quantized(with_head(named(own, LAYERS, "bert."), own))
    path = out / f"{name}-mean-try.safetensors"
    save_file(tensors, path, metadata={"format": "pt"})
    net = Net(len(own["word.weight"]))
    net.load_state_dict(from_bert(dequantized(path), "bert."), strict=False)
    logits = judge(net.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval(), test.tokens, test.claim, test.evidence, device, marks=MARKS["small"])
    print(name, flush=True)
    result = told(test.source, test.label, logits)
    if best is None or result["dev_mean"]["macro_f1"] > best[0]:
        best = result["dev_mean"]["macro_f1"], name, path, logits, result
print("kept:", best[1], best[0])
best[2].rename(out / "mean.safetensors")
np.savez_compressed(out / "mean.eval.npz", logits=best[3].astype(np.float32))
(out / "mean.json").write_text(json.dumps(dict(names=names, kept=best[1], scores=best[4])))
