"""Benchmarks of the companion against its peers; run by hand, never by the tests."""
