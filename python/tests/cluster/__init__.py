"""Proofs of lede_news.spark on a real Spark standalone cluster: ``make cluster-test``."""
