# Works in a checkout whose path holds spaces: every path here is relative, and tools run as
# `.venv/bin/python -m tool`, since the scripts that pip writes name the full path in their first line.

PYTHON ?= python3
JOBS ?= 2
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
LAYERS := $(PY) -c "from importlinter.cli import lint_imports_command as run; run()"

# An editable install remembers where the checkout lies, so one that was moved is installed again.
MOVED := $(shell test "`cat .venv/.installed 2>/dev/null`" = "`pwd -P`" || echo FORCE)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-fast test-nojit test-bounds lint format check bench report notebooks golden docs clean clean-all FORCE

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

demo: .venv/.installed ## play 1,000,000 hands of every game, print the table, save results/demo.png
	$(PY) -m cardsim demo

test: .venv/.installed-dev ## run all tests, the slow ones too (JOBS=2 processes)
	$(PY) -m cardsim warmup
	$(PY) -m pytest -n $(JOBS) --dist worksteal

test-fast: .venv/.installed-dev ## run the tests that are not marked slow
	$(PY) -m pytest -n $(JOBS) --dist worksteal -m "not slow"

test-nojit: .venv/.installed-dev ## run the fast tests in plain Python, and report the lines they miss
	NUMBA_DISABLE_JIT=1 $(PY) -m coverage run -m pytest -m "not slow"
	$(PY) -m coverage report

test-bounds: .venv/.installed-dev ## run the fast tests with every array index checked
	NUMBA_BOUNDSCHECK=1 $(PY) -m pytest -n $(JOBS) --dist worksteal -m "not slow"

lint: .venv/.installed-dev ## check style, format, types and import layers
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(LAYERS) --no-logo

format: .venv/.installed-dev ## format the code and mend what ruff can mend
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

check: ## lint, then test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test

bench: .venv/.installed-dev ## measure speed and memory
	$(PY) benchmarks/run.py

report: .venv/.installed-dev ## put the tips to the test: 1,000,000 hands a question, results/report/report.html
	$(PY) -m experiments.report

notebooks: .venv/.installed-dev ## run the notebooks and write them with their outputs
	$(PY) notebooks/build.py

golden: .venv/.installed-dev ## write the golden playthroughs in tests/golden anew
	$(PY) tests/golden/regenerate.py

docs: .venv/.installed-dev ## write the generated tables in docs anew
	$(PY) docs/generate.py

clean: ## remove builds, caches and compiled kernels
	rm -rf build dist htmlcov .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -name .venv -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

clean-all: clean ## as clean, and remove the virtual environment
	rm -rf .venv

# The stamps lie inside .venv and vanish with it. The plain one holds the path for MOVED.
.venv/.installed: pyproject.toml $(MOVED) | .venv/.created
	$(PIP) install --quiet --editable ".[plot]"
	@pwd -P > $@

.venv/.installed-dev: pyproject.toml $(MOVED) | .venv/.created
	$(PIP) install --quiet --editable ".[dev]"
	@pwd -P > .venv/.installed
	@touch $@

# An environment that is already here is kept if it has, or can be given, pip.
.venv/.created:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "cardsim needs Python 3.11 or newer, and $(PYTHON) is not that; try: make PYTHON=python3.12 ..." >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; }
	@{ test -x $(PY) && { $(PY) -m pip --version || $(PY) -m ensurepip; } >/dev/null 2>&1; } \
		|| { echo "creating .venv" && "$(PYTHON)" -m venv --clear .venv; }
	@touch $@

FORCE:
