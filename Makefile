# `make help` lists the targets. VENV and PYTHON may be overridden: make test VENV=/somewhere PYTHON=python3.12

VENV ?= .venv
# A process that dies ends the run with a failure: where xdist starts another, it waits for ever after the last test.
PYTEST_ARGS ?= -n 2 --dist loadfile --max-worker-restart 0
CHECKED_TESTS ?=
BENCH_ARGS ?=
DEMO_ARGS ?=

BIN := $(VENV)/bin
PY := $(BIN)/python
NATIVE_SOURCES := $(shell find lakecodec -path "*/native/*" \( -name "*.h" -o -name "*.pyx" -o -name "*.px[di]" \)) $(wildcard lakecodec/runtime/native/compact/*.c lakecodec/runtime/native/records/*.c)
checks = $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(PY) -m lakecodec generate --check
# Whoever has the full development environment needs no second installation for the demo.
DEMO_READY := $(firstword $(wildcard $(VENV)/.stamp-dev) $(VENV)/.stamp-demo)

# Compiled Python is kept beside the sources, else each of the many processes of a test run compiles all of it once more.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup generate demo test test-all bench docs wheel lowest versions debug devmode asan life fuzz clean
.DELETE_ON_ERROR:

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(VENV)/.stamp-dev ## create the development environment and build the native codec

generate: $(DEMO_READY) ## compile idl/ to generated/
	@$(PY) -m lakecodec generate

demo: generate ## ingest the flights with Spark as Parquet and Mosaic, link them as Paimon, read them back, keep one for a year, plot
	@$(PY) -m demo $(DEMO_ARGS)

test: $(VENV)/.stamp-dev ## lint, types, stale generated files, then the tests but the slow ones
	@$(checks)
	@$(PY) -m pytest -m "not fuzz and not slow" $(PYTEST_ARGS)

test-all: $(VENV)/.stamp-dev ## the same with the slow tests, and a few where memory is checked: see debug, asan
	@$(checks)
	@$(PY) -m pytest -m "not fuzz" $(PYTEST_ARGS)
	@for kind in debug dev asan; do PY=$(PY) .ci/checked $$kind short || exit 1; done

bench: $(VENV)/.stamp-dev ## run the benchmarks against other libraries
	@$(PY) -m benchmarks $(BENCH_ARGS)

life: $(VENV)/.stamp-dev ## live random lives of tables for LAKECODEC_LIFE_MINUTES (5), from LAKECODEC_LIFE_SEED (1) on
	@$(PY) -m pytest -m fuzz -s -q tests/spark/life tests/lake

fuzz: $(VENV)/.stamp-dev ## run the long fuzzing tests
	@$(PY) -m pytest -m fuzz $(PYTEST_ARGS)

docs: $(VENV)/.stamp-docs ## build the documentation to site/, every link checked
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@$(PY) -m lakecodec doc -o site/formats lakecodec/idl/*.idl lakecodec/idl/gallery/*.idl >/dev/null
	@echo "site/index.html"

wheel: $(VENV)/.stamp-venv ## build an sdist and, from it, a wheel to dist/
	@$(PY) -m pip install -qq --disable-pip-version-check --no-input build
	@LAKECODEC_REQUIRE_NATIVE=1 $(PY) -m build >/dev/null && ls dist/*

lowest: ## install the lowest versions of the dependencies elsewhere, and run the tests that need no others
	@.ci/lowest

versions: ## build and try lakecodec on every supported version of Python that is installed
	@.ci/versions

debug: $(VENV)/.stamp-dev ## run the native tests under a debug build of Python (python3-dbg)
	@PY=$(PY) .ci/checked debug $(CHECKED_TESTS)

devmode: $(VENV)/.stamp-dev ## run the native tests in Python's development mode (-X dev)
	@PY=$(PY) .ci/checked dev $(CHECKED_TESTS)

asan: $(VENV)/.stamp-dev ## run the native tests on a build with AddressSanitizer
	@PY=$(PY) .ci/checked asan $(CHECKED_TESTS)

clean: ## remove everything built, generated/ and the environment excepted
	@rm -rf build dist site *.egg-info demo-output bench-output spark-warehouse metastore_db derby.log
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find lakecodec \( -name "*.so" -o -name ".stamp-native" \) -delete; find lakecodec -name "*.pyx" | sed "s/pyx$$/c/" | xargs rm -f; rm -f $(VENV)/.stamp-*
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

# ---- environment: one stamp a step, so that a second run does nothing ----

# pyproject.toml's requires-python, such as >=3.11,<3.14, as a condition in Python.
REQUIRES := $(shell sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"/(3, \1) <= sys.version_info < (3, \2)/p' pyproject.toml)
find_python = for p in python3 python3.13 python3.12 python3.11; do \
    $$p -c 'import sys; sys.exit(not $(REQUIRES))' 2>/dev/null && { echo $$p; break; }; done

# The installer's output goes to a log; only its errors are shown, without addresses.
pip_install = $(PY) -m pip install -qq --disable-pip-version-check --no-input -e '.[$(1)]' >$(VENV)/pip.log 2>&1 || \
    { sed -E 's|[a-z]+://[^ ]+|<address>|g' $(VENV)/pip.log; echo "installing lakecodec[$(1)] failed, see above" >&2; exit 1; }

comma := ,
install_dev = echo "installing lakecodec with its development packages"; \
    $(call pip_install,spark$(comma)demo$(comma)peers$(comma)dev)
build_native = echo "building the native codec"; $(PY) -W ignore setup.py -q build_ext --inplace

$(VENV)/.stamp-venv:
	@python="$${PYTHON:-$$($(find_python))}"; \
	test -n "$$python" || { echo "no Python with $(REQUIRES) was found (set PYTHON=...)" >&2; exit 1; }; \
	echo "creating $(VENV) with $$($$python --version)"; \
	$(PY) -m pip --version >/dev/null 2>&1 || $$python -m venv $(VENV) || \
	    { echo "venv failed: on Debian and Ubuntu, apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.stamp-demo: $(VENV)/.stamp-venv pyproject.toml setup.py $(NATIVE_SOURCES)
	@echo "installing lakecodec with Spark and the demo's packages"
	@$(call pip_install,spark$(comma)demo)
	@touch $@

$(VENV)/.stamp-docs: $(VENV)/.stamp-dev
	@echo "installing what builds the documentation"
	@$(call pip_install,docs)
	@touch $@

# Installing builds the native codec too; where only its sources are newer, building alone is quicker.
$(VENV)/.stamp-dev: $(VENV)/.stamp-venv pyproject.toml setup.py $(NATIVE_SOURCES)
	@$(if $(filter-out $(NATIVE_SOURCES),$?),$(install_dev),$(build_native))
	@touch $@ $(VENV)/.stamp-demo

