#!/usr/bin/env python3
"""Writes what LIBSVM makes of made-up data, for the tests of package svm.

    pip install scikit-learn libsvm-official
    python3 reference.py > reference.json

Decision values are those of scikit-learn's SVC, which is LIBSVM, trained to a
tolerance at which the solution is all but unique. Where libsvm-official can be
imported, its model must agree, and it also gives Platt's A and B: the C
library's rand() is seeded alike before its training and before its shuffle is
done over here, so that the folds it used are known.

--seed makes other data, --rows larger data than the frozen ones.
"""

import argparse
import ctypes
import json

import numpy as np
from sklearn.svm import SVC

try:
    from libsvm import svm, svmutil
except ImportError:
    svm = None

TOLERANCE = 1e-6


def moons(rng, n):
    angle = rng.uniform(0, np.pi, n)
    y = np.arange(n) % 2 == 0
    x = np.stack([np.where(y, np.cos(angle), 1 - np.cos(angle)), np.where(y, np.sin(angle), 0.5 - np.sin(angle))], 1)
    return x + rng.normal(0, 0.15, x.shape), y


def gaussians(columns, apart, share=0.5):
    def make(rng, n):
        y = np.arange(n) < max(2, round(share * n))
        x = rng.normal(0, 1, (n, columns))
        x[y] += apart / np.sqrt(columns)
        order = rng.permutation(n)
        return x[order], y[order]

    return make


def duplicates(rng, n):
    """Whole numbers: many rows are equal, some of both classes."""
    x = rng.integers(0, 4, (n, 3)).astype(float)
    return x, x.sum(1) + rng.normal(0, 1.5, n) > 4.5


def counts(rng, n):
    """Features of very different sizes, as counts of words and letters are."""
    y = rng.uniform(size=n) < 0.4
    size = np.exp(rng.normal(np.where(y, 4, 2.5), 1))
    x = np.stack([size, size / 5, rng.uniform(size=n) * np.where(y, 0.3, 1), rng.poisson(2, n), size**0.5, rng.normal(0, 1, n)], 1)
    return x, y


CASES = [
    # name, data, C, gamma, weights of the positive and the negative class
    ("moons", moons, 1, 1, (1, 1)),
    ("moons, hard", moons, 100, 4, (1, 1)),
    ("overlapping", gaussians(6, 1.0), 1, 1 / 6, (1, 1)),
    ("overlapping, soft", gaussians(6, 1.0), 0.05, 0.5, (1, 1)),
    ("overlapping, steep", gaussians(6, 1.5), 50, 0.05, (1, 1)),
    ("twelve features", gaussians(12, 2.0), 4, 1 / 12, (1, 1)),
    ("imbalanced", gaussians(8, 2.0, 0.1), 1, 0.125, (1, 1)),
    ("imbalanced, weighted", gaussians(8, 2.0, 0.1), 1, 0.125, (9, 1)),
    ("duplicated points", duplicates, 2, 0.3, (1, 1)),
    ("narrow kernel", gaussians(7, 2.0), 10, 30, (1, 1)),
    ("unscaled counts", counts, 10, 0.001, (1, 2)),
]


def decisions(x, y, off, c, gamma, weight):
    m = SVC(C=c, gamma=gamma, tol=TOLERANCE, class_weight={True: weight[0], False: weight[1]}, cache_size=500)
    m.fit(x, y)
    return m.decision_function(x), m.decision_function(off)


def platt(x, y, c, gamma, weight):
    """A, B and the fold of each row. LIBSVM puts the positive class first."""
    order = np.concatenate([np.flatnonzero(y), np.flatnonzero(~y)])
    label = np.where(y[order], 1.0, -1.0)
    problem = svm.svm_problem(label, [dict(enumerate(map(float, r), 1)) for r in x[order]])
    libc = ctypes.CDLL(None)
    libc.srand(7)
    options = f"-q -s 0 -t 2 -b 1 -c {c!r} -g {gamma!r} -e {TOLERANCE!r} -w1 {weight[0]} -w-1 {weight[1]}"
    model = svmutil.svm_train(problem, svmutil.svm_parameter(options))
    libc.srand(7)
    n = len(y)
    perm = list(range(n))
    for i in range(n):
        j = i + libc.rand() % (n - i)
        perm[i], perm[j] = perm[j], perm[i]
    fold = [0] * n
    for f in range(5):
        for j in range(f * n // 5, (f + 1) * n // 5):
            fold[order[perm[j]]] = f
    rows = [dict(enumerate(map(float, r), 1)) for r in x]
    _, _, decision = svmutil.svm_predict([], rows, model, "-q")
    _, _, probability = svmutil.svm_predict([], rows, model, "-q -b 1")
    found = {"a": model.probA[0], "b": model.probB[0], "fold": fold, "probabilities": values([p[0] for p in probability])}
    return found, np.array(decision)[:, 0]


def values(v):
    return [float(f"{a:.9g}") for a in v]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rows", type=int, default=60)
    a = p.parse_args()
    out = []
    for k, (name, make, c, gamma, weight) in enumerate(CASES):
        rng = np.random.default_rng([a.seed, k])
        x, y = make(rng, a.rows)
        off, _ = make(rng, 20)
        x, off = np.round(x, 3), np.round(off, 3)
        on, beside = decisions(x, y, off, c, gamma, weight)
        case = {
            "name": name, "c": c, "gamma": gamma, "weight": weight,
            "x": x.tolist(), "y": y.tolist(), "decisions": values(on),
            "off": off.tolist(), "offDecisions": values(beside),
        }
        if svm:
            case["platt"], own = platt(x, y, c, gamma, weight)
            assert np.abs(own - on).max() < 1e-5, f"{name}: the two LIBSVMs differ by {np.abs(own - on).max()}"
        out.append(case)
    print("[" + ",\n".join(json.dumps(c) for c in out) + "]")


if __name__ == "__main__":
    main()
