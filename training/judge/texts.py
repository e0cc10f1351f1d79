"""Lists of JSON rows in xz files."""
import json, lzma


def write(path, rows):
    with lzma.open(path, "wt", encoding="utf-8", preset=6) as f:
        f.writelines(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows)


def load(path):
    with lzma.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(x) for x in f]
