// Package svm learns to tell two classes of rows apart: a support vector
// machine with the RBF kernel and soft margin (C-SVC), whose decision values are
// turned into probabilities.
//
// It follows LIBSVM and gives its decision values:
//
//   - C.-C. Chang, C.-J. Lin: LIBSVM: A library for support vector machines. ACM
//     TIST 2(3), 2011. The formulation, the bias (section 4.1.5) and the defaults.
//   - R.-E. Fan, P.-H. Chen, C.-J. Lin: Working set selection using second order
//     information for training support vector machines. JMLR 6, 2005. The solver.
//   - H.-T. Lin, C.-J. Lin, R. C. Weng: A note on Platt's probabilistic outputs
//     for support vector machines. Machine Learning 68(3), 2007. Probabilities.
//   - C.-W. Hsu, C.-C. Chang, C.-J. Lin: A practical guide to support vector
//     classification. 2003–2016. The grid of [Search].
//
// Nothing here reads files or the clock, and the same rows, options and seed give
// the same model on any number of cores. A model holds the names and the scaling
// of its features, so that its JSON is all that is needed to use it.
package svm
