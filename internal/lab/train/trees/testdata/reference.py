#!/usr/bin/env python3
"""Writes what other libraries make of the rows in this folder, for the tests of package trees.

    pip install scikit-learn lightgbm catboost
    python3 reference.py > reference.json

The rows come from `go test -run TestMade -update`. Each library learns from the first half of a file and is
measured on the second: log-loss and area under the ROC curve, by weight. (With three classes, the area is the mean
of each class against the others.) They are set as near to each other as they can be: as many trees of the same
depth and rate, L2 of 1, leaves with a second derivative of 1, nothing by lot. LightGBM and scikit-learn grow
ordinary trees, CatBoost symmetric ones.
"""

import csv
import json
import os
import sys

import catboost
import lightgbm
import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import log_loss, roc_auc_score

HERE = os.path.dirname(os.path.abspath(__file__))
TREES = [("moons", 100), ("friedman", 100), ("three", 30), ("three", 100), ("missing", 100)]
RATE = 0.1


def read(name):
    with open(os.path.join(HERE, name + ".csv")) as f:
        rows = list(csv.reader(f))[1:]
    table = np.array([[float(v) if v else np.nan for v in row] for row in rows])
    half = len(table) // 2
    return table[:half], table[half:]


def models(trees, depth):
    yield "lightgbm", False, lightgbm.LGBMClassifier(
        n_estimators=trees, max_depth=depth, num_leaves=2**depth, learning_rate=RATE, reg_lambda=1,
        min_child_weight=1, min_child_samples=1, min_data_in_bin=1, max_bin=255, deterministic=True,
        random_state=1, n_jobs=1, verbose=-1)
    yield "sklearn", False, HistGradientBoostingClassifier(
        max_iter=trees, max_depth=depth, max_leaf_nodes=2**depth, learning_rate=RATE, l2_regularization=1,
        min_samples_leaf=4, early_stopping=False, random_state=1)
    yield "catboost", True, catboost.CatBoostClassifier(
        iterations=trees, depth=depth, learning_rate=RATE, l2_leaf_reg=1, random_strength=0, bootstrap_type="No",
        boosting_type="Plain", leaf_estimation_method="Newton", leaf_estimation_iterations=1, border_count=254,
        random_seed=1, thread_count=1, verbose=False, allow_writing_files=False)


def main():
    out = []
    for name, trees in TREES:
        train, test = read(name)
        for depth in [3, 6]:
            for library, symmetric, model in models(trees, depth):
                model.fit(train[:, 2:], train[:, 0], sample_weight=train[:, 1])
                p = model.predict_proba(test[:, 2:])
                y, w = test[:, 0], test[:, 1]
                areas = [roc_auc_score(y == k, p[:, k], sample_weight=w) for k in range(p.shape[1])]
                out.append({
                    "set": name, "library": library, "symmetric": symmetric, "trees": trees, "depth": depth,
                    "rate": RATE, "loss": round(log_loss(y, p, sample_weight=w), 5),
                    "area": round(float(np.mean(areas)), 5),
                })
    json.dump(out, sys.stdout, indent=1)
    print()
    print("scikit-learn", sklearn.__version__, "lightgbm", lightgbm.__version__, "catboost", catboost.__version__,
          file=sys.stderr)


if __name__ == "__main__":
    main()
