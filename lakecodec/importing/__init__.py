"""Formats that are described in other languages, imported into the IDL: Kaitai Struct's .ksy files, protobuf's .proto files."""

from .imported import Imported, Note
from .sources import import_files, import_idl

__all__ = ["Imported", "Note", "import_files", "import_idl"]
