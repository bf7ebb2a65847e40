"""Writes minhash.jsonl: the likeness of made-up texts, exact and as estimated by
datasketch (pip install datasketch==2.0.0), for TestSignatureDatasketch.

    python3 minhash.py > minhash.jsonl
"""
import json

from datasketch import MinHash


def text(seed, n, changed):
    """n words; of those whose number is a multiple of changed, other words."""
    words = []
    for i in range(n):
        x = (i * i * 31 + i * seed) % 9973
        # Letters for digits: to lede, a number is a word of its own.
        number = "".join(chr(ord("a") + int(d)) for d in "%04d" % x)
        words.append(("other" if changed and i % changed == 0 else "word") + number)
    return words


def shingles(words):
    return {" ".join(words[i : i + 4]) for i in range(len(words) - 3)}


def signature(of):
    m = MinHash(num_perm=128)
    for s in of:
        m.update(s.encode())
    return m


for seed in range(3, 11):
    for n in (60, 500, 2000):
        for changed in (6, 9, 20, 80):
            a, b = shingles(text(seed, n, 0)), shingles(text(seed, n, changed))
            print(json.dumps({
                "seed": seed, "words": n, "changed": changed,
                "exact": len(a & b) / len(a | b),
                "datasketch": signature(a).jaccard(signature(b)),
            }))
