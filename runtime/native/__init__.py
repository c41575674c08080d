"""The compiled accelerators; optional, every one has a pure Python twin."""
