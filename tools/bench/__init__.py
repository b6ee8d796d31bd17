"""Benchmarks, each a program of its own: `python -m tools.bench.engine`, and all of them with `make bench`."""
