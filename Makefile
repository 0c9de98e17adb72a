# Every target installs what it needs into .venv first. ARGS="..." is handed to the command.
PYTHON ?= $(firstword $(foreach p,python3.11 python3.12 python3.13 python3,$(shell command -v $(p))))
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt --build-constraint constraints.txt
READY := $(VENV)/.ready
# Two more than there are processors: many tests wait, for servers to start or to stop, or for time to pass.
JOBS ?= $(shell expr 2 + $$(getconf _NPROCESSORS_ONLN))
# Modules are compiled once, not by each of the hundreds of processes that tests start.
TESTED := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help demo test test-models test-stores lint check-deploy format stores stores-stop bench train clean house

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(READY)-base ## page and API on the sample graph, http://127.0.0.1:8080
	$(BIN)/nlq demo $(ARGS)

test: $(READY)-test ## everything that needs no outside server and no model, in JOBS processes
	$(TESTED) --numprocesses $(JOBS) --dist worksteal $(ARGS)

test-models: $(READY)-test $(READY)-models $(READY)-model-server ## what needs torch (installs about 6 GB)
	$(TESTED) -m models $(ARGS)

test-stores: $(READY)-test ## what needs real stores (make stores first)
	@scripts/stores.sh status
	$(TESTED) -m stores $(ARGS)

stores: $(READY)-stores ## starts Oxigraph, Fuseki (twice), Virtuoso and PostgreSQL, empty, on loopback
	@VENV=$(VENV) scripts/stores.sh start

stores-stop: ## stops them
	@scripts/stores.sh stop

lint: $(READY)-dev ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/house.py

house: $(READY)-dev ## prints packages and imports; fails if they exceed their bounds
	@$(BIN)/python scripts/house.py

check-deploy: $(READY)-stores ## deploy/ by the tools that read it, those that are here
	@VENV=$(VENV) scripts/check_deploy.sh $(ARGS)

format: $(READY)-dev ## puts the code into the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)-test ## prints the numbers of the README
	$(BIN)/python -m benchmarks $(ARGS)

train: $(READY)-test $(READY)-models ## makes what is learned, from the benchmark data (docs/drafter.md)
	$(BIN)/python -m training $(ARGS)

clean: stores-stop ## removes what was built or cached, .venv excepted
	rm -rf build dist *.egg-info .peers .stores .deploy-tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(READY)-base: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: apt-get install python3 python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --constraint constraints.txt --upgrade pip
	$(INSTALL) --editable . || { sh scripts/explain_install.sh $(BIN)/python; exit 1; }
	@touch $@

$(READY)-models: $(READY)-base training/requirements.txt
	$(INSTALL) --editable '.[models]'
	$(PIP) install --quiet --no-deps --require-hashes --requirement training/requirements.txt
	@touch $@

$(READY)-%: $(READY)-base
	$(INSTALL) --editable '.[$*]'
	@touch $@
