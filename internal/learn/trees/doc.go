// Package trees learns to tell classes of rows apart: gradient-boosted decision
// trees, for two classes (logistic loss) or more (softmax). With more than two, a
// tree asks the same questions for all classes and has a value for each in every
// leaf, as in CatBoost: fewer questions, and on made-up rows a better ranking than
// with one tree a class.
//
// It follows
//
//   - T. Chen, C. Guestrin: XGBoost: A scalable tree boosting system. KDD 2016.
//     The gain of a split and the value of a leaf, from first and second
//     derivatives of the loss (section 2.2); rows and features by lot (2.3).
//   - G. Ke et al.: LightGBM: A highly efficient gradient boosting decision tree.
//     NIPS 2017. Histograms over binned features; a sibling by subtraction.
//   - L. Prokhorenkova et al.: CatBoost: unbiased boosting with categorical
//     features. NeurIPS 2018. Symmetric trees, where all nodes of a level ask the
//     same question (section 5), so that using one needs no branch.
//
// Derivatives are summed as integers. The same rows, options and seed therefore
// give the same model on any number of cores. Leaves are 16-bit numbers from the
// start: what was trained, what is written and what is read back are one model.
//
// A missing value is NaN. It counts as less than all others, and has a bin of its
// own when training rows had some. Nothing here reads files or the clock.
package trees
