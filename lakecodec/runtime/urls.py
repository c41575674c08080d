"""URLs of object stores with options of their clients, and the file systems for them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Self

from .exact import check_type

#: Packages of fsspec clients by scheme. They are used if installed: tables can only commit through them.
_CLIENTS = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs"} | dict.fromkeys(
    ("abfs", "abfss", "az"), "adlfs"
)
#: Schemes that pyarrow opens if the fsspec client is missing or does not exist.
_ARROW_SCHEMES = frozenset({"file", "s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs"})
#: Options and credentials in the URL itself, which only pyarrow reads.
_ARROW_OPTIONS = re.compile(
    r"\A[^:]+://([^/@]*:[^/@]*@|[^?]*\?(.*&)?(region|scheme|endpoint_override|anonymous|retry_limit_seconds|"
    r"tls_verify_certificates|allow_bucket_creation|allow_bucket_deletion|force_virtual_addressing)=)"
)


class StoreUrl(str):
    """A URL of a table or file with options of its store's client.

    It works wherever a URL does, in Spark's workers too.

    An example is ``s3://bucket/table``. Keyword arguments are options of the fsspec file system of its scheme:
    endpoint, credentials and others. Options for a local path raise ValueError.
    """

    options: Mapping[str, Any]

    def __new__(cls, url: str | os.PathLike[str], **options: Any) -> Self:
        text = os.fspath(url)
        if not is_store(text):
            raise ValueError(f"storage_options: {text!r} is a local path, which has none")
        found = super().__new__(cls, text)
        found.options = options
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return _store_url, (str(self), self.options)


def _store_url(url: str, options: Mapping[str, Any]) -> StoreUrl:
    return StoreUrl(url, **options)


def is_store(path: Any) -> bool:
    """Returns whether a path is a URL of something other than a local file."""
    return isinstance(path, str) and "://" in path and not path.startswith("file://")


def _check_options(options: Any) -> None:
    check_type("storage_options", options, Mapping)
    for name in options:
        check_type("storage_options", name, str)


def with_options(path: Any, options: Mapping[str, Any] | None) -> Any:
    """Returns ``path``; with options as a `StoreUrl`."""
    if options:
        _check_options(options)
        return StoreUrl(path, **options)
    return path


def located(options: Mapping[str, Any] | None, *places: Any, filesystem: Any = None) -> tuple[Any, ...]:
    """Returns the sources and targets of a call, with options at each URL among them.

    Args:
        options: the ``storage_options`` of the call.
        places: paths, URLs, buffers and file objects, and iterables of them.
        filesystem: the ``filesystem`` of the call.

    Raises:
        ValueError: there are options, but no URL for them, or a file system, which has its own.
    """
    if not options:
        return places
    _check_options(options)
    if filesystem is not None:
        raise ValueError("storage_options: not with filesystem, which has its own")
    found = tuple(_located(place, options) for place in places)
    if not any(map(_has_options, found)):
        raise ValueError(f"storage_options: {_without_options(places)}")
    return found


def _located(place: Any, options: Mapping[str, Any]) -> Any:
    if isinstance(place, str):
        return StoreUrl(place, **{**getattr(place, "options", {}), **options}) if is_store(place) else place
    if isinstance(place, (list, tuple)) or (isinstance(place, Iterator) and not hasattr(place, "read")):
        return [_located(each, options) for each in place]
    return place


def _has_options(place: Any) -> bool:
    return any(map(_has_options, place)) if isinstance(place, list) else isinstance(place, StoreUrl)


def _without_options(places: Any) -> str:
    """Returns the reason why options fit none of the places."""
    first = places[0] if places else None
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if isinstance(first, str | os.PathLike):
        return f"{os.fspath(first)!r} is a local path, which has none"
    return "there is no URL that they are for"


def storage_option(text: str) -> Any:
    """Returns the value of a client's option given as text; booleans and objects are parsed as JSON."""
    return json.loads(text) if text in ("true", "false") or text.lstrip().startswith("{") else text


def filesystem_of(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it.

    An installed fsspec client is preferred, with the options of a `StoreUrl`; else pyarrow's. Clients cache no
    listings, which would lack files of other writers.

    Raises:
        ValueError: the scheme, or options that are given, need a package that is not installed; the URL has options too.
    """
    scheme = url.partition("://")[0]
    options = dict(getattr(url, "options", {}))
    package = _CLIENTS.get(scheme)
    in_url = package is not None and _ARROW_OPTIONS.match(url) is not None
    if in_url and options:
        raise ValueError("storage_options: the URL has options of its own; give all of them in one place")
    if package is not None and not in_url and find_spec(package) is not None:
        options = {"use_listings_cache": False, **options}
    elif in_url or (scheme in _ARROW_SCHEMES and not options and not (package and _has_settings(scheme))):
        from pyarrow.fs import FileSystem

        filesystem, path = FileSystem.from_uri(str(url))
        return filesystem, path
    try:
        filesystem, path = import_module("fsspec.core").url_to_fs(str(url), **options)
    except ImportError:
        needed = package or "fsspec"
        if options or scheme in _ARROW_SCHEMES:
            raise ValueError(f"storage_options: they are those of {needed}, which is not installed") from None
        raise ValueError(f"source: {scheme!r} URLs need the package {needed}, which is not installed") from None
    return filesystem, path


def arrow_filesystem_of(url: str) -> tuple[Any, str]:
    """Returns the same as `filesystem_of`, with a pyarrow file system."""
    from pyarrow import fs

    filesystem, path = filesystem_of(url)
    if not isinstance(filesystem, fs.FileSystem):
        filesystem = fs.PyFileSystem(fs.FSSpecHandler(filesystem))
    return filesystem, path


def is_directory(path: str) -> bool:
    """Returns whether a path or URL is a directory."""
    return is_directory_in(*filesystem_of(path)) if "://" in path else os.path.isdir(path)


def is_directory_in(filesystem: Any, path: str) -> bool:
    """Returns whether a path in a pyarrow or fsspec file system is a directory.

    Raises:
        TypeError: ``filesystem`` is neither.
    """
    return look_at(filesystem, path)[0]


def look_at(filesystem: Any, path: str) -> tuple[bool, Any]:
    """Returns whether a path is a directory, and the file system's info on it, None without any.

    Args:
        filesystem: a pyarrow or fsspec file system, which gets one request.
        path: a path in it.

    Raises:
        TypeError: ``filesystem`` is neither.
    """
    if hasattr(filesystem, "get_file_info"):
        from pyarrow.fs import FileType

        found = filesystem.get_file_info(path)
        return found.type == FileType.Directory, found if found.type == FileType.File else None
    if not hasattr(filesystem, "isdir"):
        raise TypeError(f"filesystem: a pyarrow or fsspec file system is needed, not {type(filesystem).__name__}")
    # Web servers have no directories; fsspec would read a whole file to search it for links.
    if _is_web(filesystem):
        return False, None
    try:
        info = filesystem.info(path)
    except OSError:
        return False, None
    return info.get("type") == "directory", info


def _is_web(filesystem: Any) -> bool:
    protocol = getattr(filesystem, "protocol", ())
    return "https" in ((protocol,) if isinstance(protocol, str) else protocol)


def below(directory: str, name: str) -> str:
    """Returns the path or URL of a file in a directory, with the options of a `StoreUrl`."""
    if "://" not in directory:
        return os.path.join(directory, name)
    return with_options(f"{directory.rstrip('/')}/{name}", getattr(directory, "options", None))  # type: ignore[no-any-return]


def _has_settings(scheme: str) -> bool:
    """Returns whether the environment has options of the fsspec client."""
    return any(name.startswith(f"FSSPEC_{scheme.upper()}_") for name in os.environ)
