"""The sdist is complete, a wheel made from it has every compiled module, and a wheel without a compiler works."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import tarfile
import zipfile
import zlib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from lakecodec.runtime.native import MODULES

from ..archives import unpack
from ..paths import ROOT

pytestmark = [
    # Half a minute of compiling, where nobody else needs the processors.
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="no checkout"),
    pytest.mark.skipif(find_spec("Cython") is None, reason="Cython is needed to build"),
]

#: What wheels hold but compiled modules.
PACKED = {".py", ".pyi", ".idl", ".yaml", ".lark", ".j2", ".properties", ".proto"}

#: Not for the optimiser: these builds are looked at, and run for a second.
QUICK = {"LAKECODEC_CFLAGS": "-O0 -g0"}


def setup(directory: Path, *arguments: str, **environment: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("LAKECODEC_", "PYTHONPATH"))}
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", *arguments]
    done = subprocess.run(
        command, cwd=directory, env=inherited | QUICK | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def run(wheel: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the package that is in a wheel."""
    zipfile.ZipFile(wheel).extractall(folder)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LAKECODEC_")}
    environment = inherited | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def compiled(names: list[str]) -> set[str]:
    """The modules below ``lakecodec`` that are compiled files in a wheel."""
    found = [name.removeprefix("lakecodec/") for name in names if name.endswith((".so", ".pyd"))]
    return {name.partition(".")[0].replace("/", ".") for name in found}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    # In a folder of its own: egg_info writes a list of files, and reads what the last call wrote.
    setup(ROOT, "egg_info", "--egg-base", str(folder), "sdist", "--dist-dir", str(folder / "dist"))
    (made,) = (folder / "dist").iterdir()
    return made


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    unpack(sdist, folder)
    (root,) = folder.iterdir()
    return root


def test_the_sdist_is_the_whole_project(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=False)
    # Links have mode 120000, also where a checkout has files in their place.
    entries = [line.split("\t", 1) for line in listed.stdout.splitlines()]
    tracked = [name for mode, name in entries if not mode.startswith("120000") and (ROOT / name).is_file()]
    if listed.returncode:
        pytest.skip("no git checkout")
    assert [line for line in tracked if line not in names] == []
    assert [name for name in names if name.endswith((".so", ".pyd", ".pyc"))] == []
    made_by_cython = {
        source.with_suffix(".c").relative_to(ROOT).as_posix() for source in ROOT.glob("lakecodec/**/*.pyx")
    }
    assert made_by_cython & names == set()


def test_a_wheel_from_the_sdist_has_every_compiled_module(unpacked: Path, tmp_path: Path) -> None:
    setup(unpacked, "build_ext", "-j2", "bdist_wheel", "--dist-dir", str(tmp_path), LAKECODEC_REQUIRE_NATIVE="1")
    (wheel,) = tmp_path.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    assert compiled(names) == set(MODULES)
    # What runs is there, what it is made from is not.
    here = [path for path in (unpacked / "lakecodec").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    data = {path.relative_to(unpacked).as_posix() for path in here if path.suffix in PACKED}
    assert data - set(names) == set()
    assert [name for name in names if name.endswith((".c", ".h", ".pyx", ".pxd", ".pxi"))] == []
    assert any(name.endswith("licenses/LICENSE") for name in names)
    page = email.message_from_bytes(archive.read(next(name for name in names if name.endswith("/METADATA"))))
    assert "](docs/" not in page.get_payload()
    done = run(wheel, tmp_path / "site", str(ROOT / ".ci" / "smoke.py"), "native")
    assert done.returncode == 0, done.stderr


def test_wheels_are_small(unpacked: Path) -> None:
    """Under 3.5 MB: Python's part as it is packed, and the modules of this environment, which are built as wheels' are."""
    sources = [path for path in (unpacked / "lakecodec").rglob("*") if path.suffix in PACKED]
    built = [Path(import_module(f"lakecodec.{name}").__file__ or "") for name in MODULES]
    if "LAKECODEC_CFLAGS" in os.environ:
        pytest.skip("the modules are built in another way")
    sizes = [len(zlib.compress(path.read_bytes())) for path in (*sources, *built)]
    assert 10**6 < sum(sizes) < 3.5e6


def test_free_threaded_builds_are_refused() -> None:
    code = "import runpy, sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "free-threaded builds of Python are not supported" in done.stderr


def test_without_a_compiler_a_slow_wheel_is_built_and_says_so(unpacked: Path, tmp_path: Path) -> None:
    broken = {"CC": "/nonexistent/cc", "CXX": "/nonexistent/cc"}
    base = ["build", "--build-base", str(tmp_path / "build"), "bdist_wheel", "--dist-dir", str(tmp_path)]
    said = setup(unpacked, *base, **broken)
    assert f"{len(MODULES)} of {len(MODULES)} compiled modules could not be built" in said
    (wheel,) = tmp_path.glob("*.whl")
    assert compiled(zipfile.ZipFile(wheel).namelist()) == set()
    done = run(wheel, tmp_path / "site", str(ROOT / ".ci" / "smoke.py"), "pure")
    assert done.returncode == 0, done.stderr
    shown = run(wheel, tmp_path / "site", "-m", "lakecodec", "--version")
    assert "(pure)" in shown.stdout
    assert "C compiler" in shown.stdout
    idl = ROOT / "lakecodec" / "idl" / "row.idl"
    assert "C compiler" in run(wheel, tmp_path / "site", "-m", "lakecodec", "check", str(idl)).stderr
