"""How saved stance runs judge the pairs of hand.tsv: Japanese, and claim and passage in different languages.

    python hand.py TOKENIZER.json ENCODER:NAME RUNS:NAME [RUNS:NAME ...]

The dev sets are made of templates, captions and rules; these pairs are as one meets them. Few, so only large differences say something.
"""
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from net import Texts, judge, load
from stance import build

LABELS = ["supports", "refutes", "neutral"]


def average_precision(score, right):
    found = right[np.argsort(-score)]
    return float((np.cumsum(found) / np.arange(1, len(found) + 1))[found].mean())


def main():
    tok = Tokenizer.from_file(sys.argv[1])
    lines = (Path(__file__).parent / "hand.tsv").read_text().splitlines()
    pairs = [line.split("\t") for line in lines if not line.startswith("#")]
    texts = Texts()
    claim, passage = (texts.add([tok.encode(p[k], add_special_tokens=False).ids for p in pairs]) for k in (0, 1))
    label = np.array([LABELS.index(p[2]) for p in pairs])
    across = np.array([p[0].isascii() != p[1].isascii() for p in pairs])
    for run in sys.argv[3:]:
        logits = judge(build(sys.argv[2], load(*run.rsplit(":", 1))).eval(), texts.tokens, claim, passage, torch.device("cpu"))
        p = torch.softmax(torch.tensor(logits), 1).numpy()
        for name, m in (("Japanese", ~across), ("across", across)):
            y, q = label[m], p[m]
            said = q.argmax(1)
            print(f"{run} {name} ({m.sum()}): accuracy {100 * (said == y).mean():.0f}; refutes precision {(y[said == 1] == 1).mean():.2f} recall {(said[y == 1] == 1).mean():.2f}, "
                  f"average precision {average_precision(q[:, 1], y == 1):.2f}; supports {(y[said == 0] == 0).mean():.2f} {(said[y == 0] == 0).mean():.2f}, {average_precision(q[:, 0], y == 0):.2f}")


if __name__ == "__main__":
    main()
