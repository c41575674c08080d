"""Builds the optional native accelerators; without a C compiler the pure Python twins run, slower."""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

PACKAGE = Path("lakecodec")
NATIVE = PACKAGE / "runtime" / "native"
FLAGS = ["-O3", "-fno-strict-aliasing", *os.environ.get("LAKECODEC_CFLAGS", "").split()]
#: Engines written in C: module -> folder.
ENGINES = {"_compact": NATIVE / "compact", "_record": NATIVE / "records"}


def extension(name: str, sources: list[Path]) -> Extension:
    folder = sources[0].parent
    headers = {*folder.glob("*.h"), *NATIVE.glob("*/*.h")}
    return Extension(
        name,
        [str(source) for source in sources],
        depends=[str(header) for header in sorted(headers)],
        include_dirs=[numpy.get_include(), str(folder), str(NATIVE)],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        extra_link_args=os.environ.get("LAKECODEC_LDFLAGS", "").split(),
        optional="LAKECODEC_REQUIRE_NATIVE" not in os.environ,
    )


extensions = [
    extension(f"lakecodec.runtime.native.{name}", sorted(folder.glob("*.c"))) for name, folder in ENGINES.items()
]
extensions += cythonize(
    [extension(".".join(source.with_suffix("").parts), [source]) for source in sorted(PACKAGE.rglob("*.pyx"))],
    language_level=3,
    quiet=True,
)

setup(
    packages=find_packages(include=["lakecodec", "lakecodec.*", "pyspark_lakecodec*"]),
    # Editable installs find the top-level packages pyspark_lakecodec* by this alone.
    package_dir={"": "."},
    package_data={
        "lakecodec": ["py.typed", "idl/*"],
        "lakecodec.generator": ["*.lark", "templates/*.j2"],
        "lakecodec.pipeline.read": ["*.lark"],
        "lakecodec.pipeline.demo": ["*.properties"],
        **{
            f"lakecodec.{name}": ["*.pyi"]
            for name in ("runtime.native", "runtime.native.columns", "row.native", "mosaic.native")
        },
    },
    ext_modules=extensions,
)
