"""Trains the model that tells content from the rest of a page, block by block.

    cargo xtask eval extraction --data DATA --rows rows.jsonl
    python train.py rows.jsonl ../../crates/extract/model/blocks.bin

`rows.jsonl` holds, for every page, the text and the numbers of every visible block, as the reader makes them. A block is
content as far as its words stand in the page's gold text. Every page weighs the same; kinds of page that are rare in the
data weigh more. Prints word F1 by kind of page, out of fold (pages of one site stay together), then of the final model.
"""
import collections
import gzip
import hashlib
import json
import pathlib
import re
import struct
import sys

import lightgbm
import lxml.html
import numpy

FOLDS = 4
ROUNDS = 90
SETTINGS = dict(
    objective="cross_entropy", num_leaves=14, learning_rate=0.17, min_child_weight=1e-4, min_data_in_leaf=20,
    feature_fraction=0.4, bagging_fraction=0.7, bagging_freq=1, lambda_l2=1.0, max_bin=127, verbose=-1, num_threads=2,
    seed=7, deterministic=True, force_row_wise=True,
)
KIND_WEIGHT = {"article": 1.0, "readability": 0.8, "service": 1.4}
OTHER_KINDS_WEIGHT = 2.0
RUN = 4  # words in a row that must stand in the gold text


def words(text):
    return re.findall(r"\w+", text.lower())


def gold_of(path):
    """Gold text, kind of page and site; both data sets keep them in their own way."""
    path = pathlib.Path(path)
    if "wcxb" in str(path):
        truth = json.loads((path.parent.parent / "ground-truth" / path.name.replace(".html.gz", ".json")).read_text())
        site = (truth["url"].split("/") + ["", "", path.name])[2]
        return truth["ground_truth"].get("main_content") or "", truth["_internal"]["page_type"]["primary"], site
    packed = path.with_name("expected.html.gz")
    html = gzip.decompress(packed.read_bytes()) if packed.exists() else path.with_name("expected.html").read_bytes()
    return lxml.html.fromstring(html.decode()).text_content(), "readability", path.parent.name


def labels(texts, gold):
    """The share of each block's words that stand in the gold text, by runs of words."""
    gold_words = words(gold)
    runs = [collections.Counter(zip(*[gold_words[i:] for i in range(n)])) for n in range(1, RUN + 1)]
    lines = {" ".join(words(line)) for line in gold.split("\n")}
    found = []
    for text in texts:
        own = words(text)
        if not own:
            found.append(0.0)
        elif len(own) < RUN:
            # A short text is likely content if it is a whole line there, less so if it is only part of one.
            whole, part = " ".join(own) in lines, runs[len(own) - 1][tuple(own)] > 0
            found.append(1.0 if whole else (0.4 if len(own) == 1 else 0.9) if part else 0.0)
        else:
            hit = numpy.zeros(len(own), bool)
            for at in range(len(own) - RUN + 1):
                if runs[RUN - 1][tuple(own[at:at + RUN])]:
                    hit[at:at + RUN] = True
            found.append(hit.mean())
    return numpy.array(found)


def load(rows):
    pages = []
    for line in open(rows):
        row = json.loads(line)
        gold, kind, site = gold_of(row["path"])
        own = [words(text) for text in row["texts"]]
        pages.append(dict(
            features=numpy.array(row["features"], numpy.float32), words=own, gold=words(gold), kind=kind, site=site,
            labels=labels(row["texts"], gold), sizes=numpy.array([len(it) for it in own], float),
        ))
    return [page for page in pages if len(page["words"])]


def weights(page):
    total = max(1, min(page["sizes"].sum(), 2 * len(page["gold"]) + 50))
    return (page["sizes"] + 0.5) / total * KIND_WEIGHT.get(page["kind"], OTHER_KINDS_WEIGHT)


def fit(pages):
    weight = numpy.concatenate([weights(page) for page in pages])
    data = lightgbm.Dataset(
        numpy.concatenate([page["features"] for page in pages]),
        numpy.concatenate([page["labels"] for page in pages]), weight=weight / weight.mean(),
    )
    return lightgbm.train(SETTINGS, data, ROUNDS)


def choose(chances, sizes):
    """The blocks with the largest expected F1; the reader does the same."""
    order = numpy.argsort(-chances, kind="stable")
    expected = numpy.cumsum((chances * sizes)[order])
    taken = numpy.cumsum(sizes[order])
    keep = numpy.zeros(len(chances), bool)
    keep[order[:numpy.argmax(2 * expected / (taken + expected[-1] + 1e-9)) + 1]] = True
    return keep


def word_f1(found, gold):
    if not gold:
        return 0.0 if found else 1.0
    shared = sum((collections.Counter(found) & collections.Counter(gold)).values())
    return 2 * shared / (len(found) + len(gold))


def table(title, pages, chances):
    scores = collections.defaultdict(list)
    for page, chance in zip(pages, chances):
        keep = choose(chance, page["sizes"])
        found = [word for own, kept in zip(page["words"], keep) if kept for word in own]
        score = word_f1(found, page["gold"])
        scores[page["kind"]].append(score)
        if page["kind"] != "readability":
            scores["all of wcxb"].append(score)
    print(title, {kind: (len(values), round(float(numpy.mean(values)), 4)) for kind, values in sorted(scores.items())})


def fold_of(site):
    return int(hashlib.md5(site.encode()).hexdigest(), 16) % FOLDS


def out_of_fold(pages):
    chances = [None] * len(pages)
    for fold in range(FOLDS):
        model = fit([page for page in pages if fold_of(page["site"]) != fold])
        for at, page in enumerate(pages):
            if fold_of(page["site"]) == fold:
                chances[at] = model.predict(page["features"])
    return chances


def export(model, path):
    """Trees as the reader wants them: magic, numbers of features and trees, then for each tree its inner nodes (feature,
    threshold, left, right; a negative child is leaf -1 - n) and its leaves, little-endian."""
    dump = model.dump_model()
    out = bytearray(b"LYRB1\0")
    out += struct.pack("<HH", dump["max_feature_idx"] + 1, len(dump["tree_info"]))
    for tree in dump["tree_info"]:
        nodes, leaves = [], []

        def walk(node):
            if "leaf_value" in node:
                leaves.append(node["leaf_value"])
                return -len(leaves)
            assert node["decision_type"] == "<="
            at = len(nodes)
            nodes.append(None)
            nodes[at] = (node["split_feature"], node["threshold"], walk(node["left_child"]), walk(node["right_child"]))
            return at

        walk(tree["tree_structure"])
        out += struct.pack("<BB", len(nodes), len(leaves))
        for feature, threshold, left, right in nodes:
            out += struct.pack("<Bfbb", feature, threshold, left, right)
        out += struct.pack(f"<{len(leaves)}f", *leaves)
    pathlib.Path(path).write_bytes(out)
    print(path, len(out), "bytes, sha256", hashlib.sha256(out).hexdigest())


if __name__ == "__main__":
    pages = load(sys.argv[1])
    table("blocks chosen with the gold text in hand:", pages, [page["labels"] for page in pages])
    table("out of fold:", pages, out_of_fold(pages))
    model = fit(pages)
    table("final model, on what it was trained on:", pages, [model.predict(page["features"]) for page in pages])
    export(model, sys.argv[2])
