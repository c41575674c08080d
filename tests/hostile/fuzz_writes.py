"""Writes values with lies in them: ``main(seed, cases)`` returns 1 where there is a fault."""

from __future__ import annotations

import faulthandler
import sys
import warnings
from itertools import islice

from lakecodec.runtime.records import backend

from .written import cases, wrong


def main(seed: int, count: int) -> int:
    faulthandler.enable()
    warnings.simplefilter("ignore", DeprecationWarning)
    if backend.native is not None:
        backend.native._FIRST_READS = 0
    faults = 0
    for sample, place, number, act in islice(cases(seed), count):
        found = wrong(sample, place, number, act)
        if found is not None:
            faults += 1
            print(sample.cls.__qualname__, place, number, act, sample.data.hex(), found)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
