"""The command line: ``lakecodec`` and ``python -m lakecodec``."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; exit code 0 fine, 1 bad data or a failed check, 2 wrong usage."""
    from lakecodec.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
