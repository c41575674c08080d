"""The command line: ``lakecodec`` and ``python -m lakecodec``."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Runs the command line; exit codes as of `cli.app.run`."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal's encoding lacks is shown by its number instead of ending the command.
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="backslashreplace")
    from lakecodec.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
