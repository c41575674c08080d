"""Valid values of any declared type: for tests, fuzzing and examples."""

from __future__ import annotations

from .coverage import unreached
from .damage import Damaged, damaged
from .sampler import Sampler, samples
from .strategies import strategies

__all__ = ["Damaged", "Sampler", "damaged", "samples", "strategies", "unreached"]
