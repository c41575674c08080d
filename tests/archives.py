"""Archives that tests unpack."""

import tarfile
from pathlib import Path
from typing import IO


def unpack(archive: Path | IO[bytes], folder: Path) -> None:
    """Extracts all of a tar archive, without what points out of the folder where Python knows such filters (from 3.11.4 on)."""
    with tarfile.open(archive) if isinstance(archive, Path) else tarfile.open(fileobj=archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)
        opened.extractall(folder)
