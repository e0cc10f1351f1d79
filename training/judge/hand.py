"""How a shipped folder of the bilingual judge reads the pairs written by hand, and whether the written statements repeat any of them.

    python hand.py ../../crates/models/weights/bilingual

Right is the label with the highest probability; then what is left at the thresholds of its lyra.json.
"""
import json, sys
from pathlib import Path

import numpy as np
import torch

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "encoder")]
from evaluate import scaled, softmax  # noqa: E402
from further import LIMITS, Bert, Rows, logits_of  # noqa: E402

LABELS = ["supports", "refutes", "neutral"]


def pairs(name):
    lines = (HERE.parent / "encoder" / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def grams(text, n=6):
    plain = "".join(c for c in text.lower() if c.isalnum())
    return {plain[i:i + n] for i in range(len(plain) - n + 1)}


def repeated(found, statements):
    """Pairs of which a statement has most of the letters of the claim, six in a row."""
    index = {}
    for at, text in enumerate(statements):
        for gram in grams(text):
            index.setdefault(gram, set()).add(at)
    out = []
    for pair in found:
        for text in pair[:2]:
            own, hits = grams(text), {}
            for gram in own:
                for at in index.get(gram, ()):
                    hits[at] = hits.get(at, 0) + 1
            at = max(hits, key=hits.get, default=None)
            if at is not None and hits[at] >= 0.6 * len(own):
                out.append((text, statements[at]))
    return out


def main(folder):
    torch.set_grad_enabled(False)
    settings = json.loads((folder / "stance" / "lyra.json").read_text())
    judge = Bert("bilingual", folder)
    judge.trained(0)
    judge.eval()
    written = [line.rstrip("\n").split("\t")[3] for path in sorted((HERE / "statements").glob("*.tsv")) for line in path.open() if not line.startswith("#") and line.strip()]
    for name in ("hand.tsv", "hand_2.tsv"):
        found = pairs(name)
        said = [LABELS.index(p[2]) for p in found]
        rows = Rows(folder / "tokenizer.json", LIMITS["bilingual"]).texts([p[0] for p in found], [p[1] for p in found], said, [name] * len(found)).closed()
        logits, y = logits_of(judge, rows).astype(np.float64), rows.label
        across = np.array([p[0].isascii() != p[1].isascii() for p in found])
        for group, m, own in (("Japanese", ~across, settings), ("across", across, settings["calibrated"]["across"])):
            p = softmax(scaled(logits[m], own["temperature"], own["sharpen"]))
            least = [own["thresholds"][k] for k in LABELS[:2]]
            taken = [(p.argmax(1) == k) & (p[:, k] >= least[k]) for k in (0, 1)]
            sides = ", ".join(f"{LABELS[k]} {(y[m][taken[k]] == k).sum()} of {taken[k].sum()} right, {(y[m] == k).sum()} there" for k in (0, 1))
            print(f"{name} {group}: {(p.argmax(1) == y[m]).sum()} of {m.sum()} right; at the thresholds {sides}")
        for text, statement in repeated(found, written):
            print(f"   repeated: {text} | {statement}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
