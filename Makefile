# Every task of the project. CI calls the same names.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.ready
BENCH  := .venv-bench
SUITE  ?= bookworm

.PHONY: venv demo test test-vm test-arm64 test-install lint type bench bench-vision bench-service soak screens clean
.DEFAULT_GOAL := test

venv: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[desktop,test]'
	touch $@

demo: $(STAMP)            ## the referee on the simulated table, in the browser
	$(BIN)/ludo-referee demo

test: lint type           ## everything that runs in minutes
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadfile

lint: $(STAMP)
	$(BIN)/ruff check .

type: $(STAMP)
	$(BIN)/mypy

# The peers of the rules' benchmark would put another OpenCV over ours, with windows: it takes more memory, and time.
$(BENCH)/.ready: pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check -e '.[desktop,test]'
	$(BENCH)/bin/pip install --quiet --disable-pip-version-check --no-deps ludopy==1.5.0 ludo-king-engine==0.1.3
	touch $@

bench: $(BENCH)/.ready    ## ratios against floors and peers, in one run
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BENCH)/bin/python -m tests.bench  # as the service has it

bench-vision: $(STAMP)    ## whole games on hard cases of the simulated table: errors by cause
	$(BIN)/python -m tests.bench.bench_games

bench-service: $(STAMP)   ## the service: memory, idle work, and how long people wait
	$(BIN)/python -m tests.bench.bench_service

test-vm: $(STAMP)         ## button, display, camera and the service on a real kernel in a virtual machine (root; see tests/vm)
	tests/vm/test.sh devices && tests/vm/test.sh service

test-arm64: $(STAMP)      ## button and display in an arm64 machine with a Pi's device tree, and the wheel on its Python
	tests/vm/test.sh arm64

test-install: $(STAMP)    ## the installer, and a game with what it installed, in a Debian with systemd (SUITE=trixie: the next one)
	tests/vm/test.sh install $(SUITE)

soak: $(STAMP)            ## whole games with everything going wrong, then a day of idling
	$(BIN)/python -m tests.soak

screens: $(STAMP)         ## every screen in every language, as pictures
	$(BIN)/python -m ludo_referee.screens.sheet build/screens

clean:
	rm -rf $(VENV) $(BENCH) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
