"""What is refused of the options that Spark passes to data sources, and what users are told to do instead."""

from __future__ import annotations

import pytest

from lakecodec.spark.sources.lake import READ_OPTIONS
from lakecodec.spark.sources.options import Options

VIEW = r"use load\(path\), save\(path\), or CREATE TEMPORARY VIEW .* USING lake OPTIONS \(path"


@pytest.mark.parametrize("name", ["location", "external", "LOCATION", "provider"])
def test_tables_of_a_catalog(name: str) -> None:
    """``CREATE TABLE ... USING lake`` and ``saveAsTable``."""
    with pytest.raises(ValueError, match=f"tables of a catalog are not supported: {VIEW}"):
        Options("lake", {name: "x", "path": "y"}, READ_OPTIONS)


def test_a_missing_path() -> None:
    """As of a catalog's table that was made without a path, or whose path Spark does not pass on."""
    with pytest.raises(ValueError, match=f"path: a path is needed; .*: drop it, and {VIEW}"):
        Options("lake", {}, READ_OPTIONS).path()
    with pytest.raises(ValueError, match="path: one path is needed, not 2"):
        Options("lake", {"paths": '["a", "b"]'}, READ_OPTIONS).path()


def test_an_unknown_option_is_told_what_there_is_once() -> None:
    with pytest.raises(ValueError, match="unknown option 'mergeschema'; lake knows path, paths, columns") as error:
        Options("lake", {"mergeSchema": "true"}, (*READ_OPTIONS, *READ_OPTIONS))
    assert str(error.value).count("columns") == 1


def test_versions_and_flags() -> None:
    options = Options("lake", {"versionAsOf": "x", "verify": "1"}, READ_OPTIONS)
    with pytest.raises(ValueError, match="versionAsOf: a whole number of at least 0 is needed, not 'x'"):
        options.number("versionAsOf")
    with pytest.raises(ValueError, match="verify: true or false is needed, not '1'"):
        options.flag("verify")
