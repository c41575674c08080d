"""The compiled accelerators; optional, every one has a pure Python twin."""

import os

#: Whether they are to be used where they were built: ``LAKECODEC_PURE=1`` forces the twins.
WANTED = os.environ.get("LAKECODEC_PURE", "") in ("", "0")
