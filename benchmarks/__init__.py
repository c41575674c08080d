"""Measurements against other implementations; `python -m benchmarks` runs them all."""
