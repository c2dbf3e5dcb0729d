# Two commands matter: `make demo` and `make test`. Each sets everything up in .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CORE_SOURCES := CMakeLists.txt pyproject.toml $(wildcard src/core/*.cpp src/core/*.hpp)

# Real runs, labels and values from independent tools; tests that need them are skipped without.
export FIRSTHIT_TEST_DATA ?= $(abspath ../shared/data)

.PHONY: demo test test-slow lint bench setup core-test docs clean

setup: $(STAMP)

$(STAMP): $(CORE_SOURCES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet "scikit-build-core>=0.10" "nanobind>=2.2" cmake ninja
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable ".[dev]"
	touch $(STAMP)

demo: setup
	rm -rf build/demo
	$(BIN)/firsthit demo build/demo

test: setup
	$(BIN)/python -m pytest -q -n 2

test-slow: setup core-test
	FIRSTHIT_HYPOTHESIS=thorough $(BIN)/python -m pytest -q -n 2 -m slow

# The core's own tests without Python, plain and under the address and undefined-behaviour sanitizers.
core-test: setup
	$(BIN)/cmake -S tests/core -B build/core-plain -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Release
	$(BIN)/cmake --build build/core-plain
	build/core-plain/core_tests
	$(BIN)/cmake -S tests/core -B build/core-sanitized -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DCMAKE_BUILD_TYPE=Debug -DFIRSTHIT_SANITIZE=ON
	$(BIN)/cmake --build build/core-sanitized
	build/core-sanitized/core_tests

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Whole processes against the peers, in alternation; see docs/performance.md. Installs the peers in .venv-peers.
bench: setup
	$(BIN)/python benchmarks/run.py $(BENCH)

clean:
	rm -rf build dist $(VENV) .venv-peers
