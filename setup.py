"""Builds the optional native accelerators; without a C compiler the pure Python twins run, slower."""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

NATIVE = Path("runtime/native")
FLAGS = ["-O3", "-fno-strict-aliasing", *os.environ.get("LAKECODEC_CFLAGS", "").split()]


def extension(name: str, sources: list[Path]) -> Extension:
    return Extension(
        f"lakecodec.runtime.native.{name}",
        [str(source) for source in sources],
        depends=[str(header) for header in sorted(NATIVE.glob("*.h"))],
        include_dirs=[numpy.get_include(), str(NATIVE)],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        extra_link_args=os.environ.get("LAKECODEC_LDFLAGS", "").split(),
        optional="LAKECODEC_REQUIRE_NATIVE" not in os.environ,
    )


extensions = [extension(f"_{name}", sorted(NATIVE.glob(f"{name}_*.c"))) for name in ("compact", "record")]
extensions += cythonize(
    [extension(source.stem, [source]) for source in sorted(NATIVE.glob("*.pyx"))], language_level=3, quiet=True
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
        "lakecodec.runtime.native": ["*.pyi"],
    },
    ext_modules=extensions,
)
