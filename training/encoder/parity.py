"""10,000 lines made by a fixed rule and their token ids by sentencepiece, for the parity test of the tokenizer in the crate `models`.

    python parity.py TOKENIZER.json EXPECTED.json [CORPUS]

All integers are unsigned, 64 bits, modulo 2^64. The generator's state starts at 20261115. next(): state = state * 6364136223846793005
+ 1442695040888963407; the value is state >> 33. below(n): next() % n. No other source of chance; every call advances the state.
A line: want = below(201). Until the line has at least `want` code points, append one part; then cut it to `want` code points. A part:
kind = below(16);
  kind 0 to 5: entry 5 + below(V - 5) of the V entries of model.vocab in tokenizer.json, with U+2581 replaced by a space;
  kind 6 to 13: n = 1 + below(8), then n code points of BLOCKS[kind - 6], each first + below(count);
  kind 14: n = 1 + below(9), then n code points of "0123456789.,", each at below(12);
  kind 15: one code point of SPACES, at below(18).
Where below() stands in a list of things to append, they are drawn from left to right.

Ids of a line, without [CLS] and [SEP]: the text in NFKC; code points U+0000 and U+FFFD and those of category Cc, Cf or Co are dropped,
except tab, line feed and carriage return; white space (Unicode's property) becomes a space; each code point in lower case by itself; split at spaces;
each word is cut by sentencepiece with U+2581 before it. Unknown code points side by side are one id 1, as both libraries have it.
Expected: for every 500 lines the number of ids and the SHA-256 of the ids, each as four bytes, little-endian, with ff ff ff ff behind
every line. With CORPUS (corpus.py's folder) 5,000 English and 5,000 Japanese lines are compared with the `tokenizers` library, too.
"""
import hashlib, json, lzma, struct, sys, unicodedata
from pathlib import Path

LINES, BLOCK, SEED = 10_000, 500, 20261115
BLOCKS = [(0x20, 95), (0x3041, 190), (0x4E00, 20902), (0xFF01, 159), (0xA0, 96), (0x400, 96), (0x1F600, 80), (0x300, 112)]
SPACES = [0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C, 0x85, 0xA0, 0x1680, 0x2002, 0x2009, 0x2028, 0x202F, 0x3000, 0x00, 0x7F, 0x200B, 0xFEFF]
WHITE = {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}


class Chance:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


def part(chance, vocabulary):
    kind = chance.below(16)
    if kind < 6:
        return vocabulary[5 + chance.below(len(vocabulary) - 5)].replace("\u2581", " ")
    if kind < 14:
        first, count = BLOCKS[kind - 6]
        return "".join(chr(first + chance.below(count)) for _ in range(1 + chance.below(8)))
    if kind == 14:
        return "".join("0123456789.,"[chance.below(12)] for _ in range(1 + chance.below(9)))
    return chr(SPACES[chance.below(len(SPACES))])


def made(vocabulary):
    chance, out = Chance(SEED), []
    for _ in range(LINES):
        want, line = chance.below(201), ""
        while len(line) < want:
            line += part(chance, vocabulary)
        out.append(line[:want])
    return out


def normal(text):
    out = ""
    for c in unicodedata.normalize("NFKC", text):
        if c in "\0\ufffd" or (c not in "\t\n\r" and unicodedata.category(c) in ("Cc", "Cf", "Co")):
            continue
        out += " " if ord(c) in WHITE else c.lower()
    return out


class Reference:
    """sentencepiece with the pieces and scores of a tokenizer.json."""

    def __init__(self, vocabulary):
        import sentencepiece
        from sentencepiece import sentencepiece_model_pb2 as proto
        m = proto.ModelProto()
        for i, (piece, score) in enumerate(vocabulary):
            kind = m.SentencePiece.UNKNOWN if i == 1 else m.SentencePiece.CONTROL if i < 5 else m.SentencePiece.NORMAL
            m.pieces.add(piece=piece, score=score, type=kind)
        t = m.trainer_spec
        t.model_type, t.vocab_size = t.UNIGRAM, len(vocabulary)
        t.unk_id, t.bos_id, t.eos_id, t.pad_id = 1, 2, 3, 0
        t.unk_piece, t.bos_piece, t.eos_piece, t.pad_piece = (vocabulary[i][0] for i in (1, 2, 3, 0))
        m.normalizer_spec.name = "identity"
        m.normalizer_spec.add_dummy_prefix, m.normalizer_spec.remove_extra_whitespaces, m.normalizer_spec.escape_whitespaces = True, True, True
        self.model = sentencepiece.SentencePieceProcessor(model_proto=m.SerializeToString())

    def ids(self, text):
        return [i for word in normal(text).split(" ") if word for i in self.model.encode(word)]


def differing(reference, tok, lines):
    """Lines that the two libraries cut in different ways."""
    found = [x.ids for x in tok.encode_batch_fast(lines, add_special_tokens=False)]
    return [t for t, ids in zip(lines, found) if reference.ids(t) != ids]


def main():
    from tokenizers import Tokenizer
    vocabulary = json.loads(Path(sys.argv[1]).read_text())["model"]["vocab"]
    reference, tok = Reference(vocabulary), Tokenizer.from_file(sys.argv[1])
    tok.no_padding()
    tok.no_truncation()
    lines = made([p for p, _ in vocabulary])
    assert not any(p in t for t in lines for p, _ in vocabulary[:5]), "a line names a special token"
    blocks = []
    for at in range(0, LINES, BLOCK):
        ids = [reference.ids(t) for t in lines[at:at + BLOCK]]
        raw = b"".join(struct.pack(f"<{len(x)}I", *x) + b"\xff" * 4 for x in ids)
        blocks.append(dict(tokens=sum(map(len, ids)), sha256=hashlib.sha256(raw).hexdigest()))
    Path(sys.argv[2]).write_text(json.dumps(dict(lines=LINES, block=BLOCK, seed=SEED, blocks=blocks), indent=1) + "\n")
    other = differing(reference, tok, lines)
    print(f"{LINES} lines, {sum(map(len, lines))} code points, {sum(b['tokens'] for b in blocks)} tokens; the tokenizers library differs on {len(other)}")
    for t in other[:5]:
        print("  ", ascii(t), reference.ids(t), tok.encode(t, add_special_tokens=False).ids)
    if len(sys.argv) > 3:
        with lzma.open(Path(sys.argv[3]) / "pairs.xz", "rt", encoding="utf-8") as f:
            pairs = [json.loads(x) for x, _ in zip(f, range(5000))]
        real = [p[1] for p in pairs] + [p[2] for p in pairs]
        print(f"{len(real)} lines of the corpus, half Japanese, half English: {len(differing(reference, tok, real))} differ")


if __name__ == "__main__":
    main()
