"""Builds the optional native accelerators; without a C compiler the pure Python twins run, slower."""

import os
import platform
import re
import sys
import sysconfig
import time
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path("lakecodec")
NATIVE = PACKAGE / "runtime" / "native"
#: Functions begin where lines of the cache do: loops are as quick whatever stands before them. Calls between files need no
#: table of symbols.
FLAGS = [
    "-O3",
    "-g0",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-falign-functions=64",
    *os.environ.get("LAKECODEC_CFLAGS", "").split(),
]
COMPILER = os.environ.get("CC") or sysconfig.get_config_var("CC") or ""
if sys.platform == "linux" and platform.machine() == "x86_64" and "gcc" in COMPILER:
    # GCC clears and copies structs by instructions that take longer to begin than the rest of a small function.
    FLAGS += [f"-m{what}-strategy=unrolled_loop:256:noalign,libcall:-1:noalign" for what in ("memset", "memcpy")]
#: A module that does not compile is an error, not a slower build.
REQUIRED = os.environ.get("LAKECODEC_REQUIRE_NATIVE", "") not in ("", "0")
#: Engines written in C: module -> folder.
ENGINES = {"_compact": NATIVE / "compact", "_record": NATIVE / "records"}


if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise SystemExit("lakecodec: free-threaded builds of Python are not supported; use one with the GIL")


def included(source: Path, folder: Path, found: set[Path]) -> set[Path]:
    """Returns ``found`` with the project's headers that a source includes, directly or by another."""
    for name in re.findall(r'(?:#include|extern from) "([\w/]+\.h)"', source.read_text(encoding="utf-8")):
        header = next((base / name for base in (source.parent, folder, NATIVE) if (base / name).exists()), None)
        if header is not None and header not in found:
            found.add(header)
            included(header, folder, found)
    return found


def extension(name: str, sources: list[Path]) -> Extension:
    """Returns what builds one module."""
    if not sources:
        raise SystemExit(f"lakecodec: the sources of {name} are missing: this checkout or archive is not complete")
    folder = sources[0].parent
    headers: set[Path] = set()
    for source in [*sources, *folder.glob("*.px[di]")]:
        included(source, folder, headers)
    return Extension(
        name,
        [str(source) for source in sources],
        depends=[str(header) for header in sorted(headers)],
        include_dirs=[numpy.get_include(), str(folder), str(NATIVE)],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        # Symbols for debuggers are most of a module; LAKECODEC_CFLAGS=-g and any LAKECODEC_LDFLAGS keep them.
        extra_link_args=os.environ.get("LAKECODEC_LDFLAGS", "-Wl,--strip-debug").split(),
    )


def stamps():
    """Returns the module that reads the stamp of a build, without the package, whose dependencies are not here."""
    spec = spec_from_file_location("stamp", NATIVE.absolute() / "stamp.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BuildOptional(build_ext):
    """Says at the end which modules could not be compiled; LAKECODEC_REQUIRE_NATIVE=1 makes that an error."""

    def run(self) -> None:
        self.missing: list[str] = []
        stamp, started = stamps(), time.time()
        digest = stamp.digest()
        super().run()
        if self.inplace and not self.missing:
            Path(stamp.STAMP).write_text(digest, encoding="ascii")
            # What is edited during the build is newer.
            os.utime(stamp.STAMP, (started, started))
        if self.missing:
            print(
                f"lakecodec: {len(self.missing)} of {len(self.extensions)} compiled modules could not be built: "
                f"{', '.join(self.missing)}. Everything works without them, slower. "
                "They need a C compiler and Python's headers.",
                file=sys.stderr,
            )

    def build_extension(self, ext: Extension) -> None:
        # Cython's copies of extensions forget it.
        ext.optional = not REQUIRED
        try:
            super().build_extension(ext)
        except Exception:
            self.missing.append(ext.name)
            raise


def package_page() -> str:
    """Returns README.md with absolute links: a package index serves no other file of the project."""
    source = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
    readme = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"\]\((?!https?://|#|mailto:)", f"]({source}/blob/main/", readme)


extensions = [
    extension(f"lakecodec.runtime.native.{name}", sorted(folder.glob("*.c"))) for name, folder in ENGINES.items()
]
extensions += cythonize(
    [extension(".".join(source.with_suffix("").parts), [source]) for source in sorted(PACKAGE.rglob("*.pyx"))],
    language_level=3,
    compiler_directives={"show_performance_hints": False},
    quiet=True,
)

setup(
    long_description=package_page(),
    long_description_content_type="text/markdown",
    packages=find_packages(include=["lakecodec", "lakecodec.*", "pyspark_lakecodec*"]),
    # Editable installs find the top-level packages pyspark_lakecodec* by this alone.
    package_dir={"": "."},
    package_data={
        "": ["*.pyi", "*.lark", "*.properties", "py.typed"],
        "lakecodec": ["idl/**/*"],
        "lakecodec.importing": ["well_known/**/*"],
        "lakecodec.sample_files": ["*.parquet"],
        "lakecodec.generator": ["templates/*.j2"],
        "lakecodec.workbench": ["web/*"],
        "lakecodec.workbench.specification": ["templates/*.j2"],
    },
    # Sources of compiled modules belong into the sdist alone.
    include_package_data=False,
    cmdclass={"build_ext": BuildOptional},
    ext_modules=extensions,
)
