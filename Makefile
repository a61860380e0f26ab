# Every task of the project. CI calls the same names.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

.PHONY: venv demo test lint type bench clean
.DEFAULT_GOAL := test

venv: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[desktop,test]'
	touch $@

demo: $(STAMP)            ## the referee on the simulated table, in the browser
	$(BIN)/ludo-referee demo

test: lint type           ## everything that runs in minutes
	$(BIN)/pytest

lint: $(STAMP)
	$(BIN)/ruff check .

type: $(STAMP)
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[desktop,test,bench]'
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
