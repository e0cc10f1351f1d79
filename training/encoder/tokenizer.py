"""A unigram tokenizer for Japanese and English, as a Hugging Face tokenizer.json.

    python tokenizer.py CORPUS OUT.json [--size 32768] [--characters 24000000]

Reads pairs.xz, text.xz and segments.xz (corpus.py). Text is brought to NFKC and lower case first, by the same normaliser that the
file carries, so the pieces are learned on what they will see. Digits are single pieces: a changed number must be visible.
Ids: 0 [PAD], 1 [UNK], 2 [CLS], 3 [SEP], 4 [MASK], then the pieces.
"""
import argparse, json, lzma, random, tempfile
from pathlib import Path

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNK, CLS, SEP, MASK = range(5)


def lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


def skeleton(pieces):
    """tokenizer.json for [(piece, score)]; the special tokens come first."""
    vocab = [[s, 0.0] for s in SPECIAL] + [[p, s] for p, s in pieces]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, "content": s, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True} for i, s in enumerate(SPECIAL)],
        # white space of any kind becomes a space, control characters go, accents stay
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": False, "strip_accents": False, "lowercase": True}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}]},
        "post_processor": {"type": "TemplateProcessing",
                           "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
                           "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
                                    {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
                           "special_tokens": {s: {"id": s, "ids": [SPECIAL.index(s)], "tokens": [s]} for s in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": UNK, "vocab": vocab, "byte_fallback": False},
    }


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("corpus", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--size", type=int, default=32768)
    ap.add_argument("--characters", type=int, default=24_000_000, help="of the sample to learn from")
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()
    import sentencepiece as spm
    from tokenizers import Tokenizer

    rng = random.Random(a.seed)
    normaliser = Tokenizer.from_str(json.dumps(skeleton([("▁", 0.0)]))).normalizer
    sample = []
    for s, e, j in lines(a.corpus / "pairs.xz"):
        sample += [e, j, j]     # Japanese has more to learn
    sample += [t for _, _, t in lines(a.corpus / "text.xz")] + [t for _, t in lines(a.corpus / "segments.xz") if rng.random() < 0.3]
    rng.shuffle(sample)
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.txt"
        with open(path, "w", encoding="utf-8") as f:
            for t in sample:
                t = normaliser.normalize_str(t)
                for part in t.replace("。", "。\n").split("\n"):
                    if part.strip():
                        f.write(" ".join(part.split()) + "\n")
                n += len(t)
                if n > a.characters:
                    break
        spm.SentencePieceTrainer.train(
            input=str(path), model_prefix=str(Path(folder) / "m"), model_type="unigram", vocab_size=a.size - len(SPECIAL) + 3, character_coverage=0.9998,
            normalization_rule_name="identity", split_digits=True, max_sentence_length=8192, num_threads=1, seed_sentencepiece_size=400000,
            max_sentencepiece_length=12, shuffle_input_sentence=False, input_sentence_size=0, unk_id=0, bos_id=1, eos_id=2, pad_id=-1)
        sp = spm.SentencePieceProcessor(model_file=str(Path(folder) / "m.model"))
        pieces = [(sp.id_to_piece(i), sp.get_score(i)) for i in range(3, sp.get_piece_size())]
        a.out.write_text(json.dumps(skeleton(pieces), ensure_ascii=False, separators=(",", ":")))
        # the two libraries must cut alike
        tok = Tokenizer.from_file(str(a.out))
        same = total = 0
        for t in sample[-3000:]:
            t = " ".join(normaliser.normalize_str(t).split())
            same += sp.encode(t, out_type=str) == [x if x != "[UNK]" else "?" for x in tok.encode(t, add_special_tokens=False).tokens] or "[UNK]" in tok.encode(t).tokens
            total += 1
    en = [x for x in sample[-20000:] if x.isascii()]
    ja = [x for x in sample[-20000:] if not x.isascii()]
    for name, texts in (("English", en), ("Japanese", ja)):
        enc = tok.encode_batch(texts, add_special_tokens=False)
        k = sum(len(e.ids) for e in enc)
        unk = sum(e.ids.count(UNK) for e in enc)
        print(f"{name}: {sum(map(len, texts)) / k:.2f} characters a token, unknown {100 * unk / k:.3f} %")
    print(f"{a.out}: {tok.get_vocab_size()} tokens, {a.out.stat().st_size} bytes; {same} of {total} lines cut like sentencepiece")


if __name__ == "__main__":
    main()
