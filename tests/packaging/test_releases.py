"""CHANGELOG.md tells of releases, and the newest one has the version that the package says."""

from __future__ import annotations

import re
import tomllib

import lakecodec

from ..paths import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RELEASE = re.compile(r"## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d")


def test_headings_are_unreleased_and_then_releases_newest_first() -> None:
    headings = re.findall(r"^## .*", CHANGELOG, re.MULTILINE)
    assert headings[0] == "## Unreleased"
    matches = [RELEASE.fullmatch(heading) for heading in headings[1:]]
    assert all(matches), headings
    versions = [tuple(map(int, match[1].split("."))) for match in matches if match]
    assert versions == sorted(set(versions), reverse=True)


def test_the_package_has_the_version_of_the_newest_release() -> None:
    newest = RELEASE.search(CHANGELOG)
    assert newest is not None
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert lakecodec.__version__ == declared == newest[1]


def test_areas_of_a_release_stand_once_and_have_entries() -> None:
    for release in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        first, *areas = re.split(r"^### ", release, flags=re.MULTILINE)
        names = [area.partition("\n")[0] for area in areas]
        assert len(names) == len(set(names)), first
        assert all("\n* " in area for area in areas), names
