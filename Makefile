# The commands for users and developers. They need Python 3.11 or newer and nothing else: no root,
# no Redis, no database server.

.DEFAULT_GOAL := help
.PHONY: help install run demo by-mail first-turn test test-deep lint format perft pictures golden lint-mail mail-pictures page-pictures texts mutants openapi examples soak faults clean
SHELL := /bin/sh

bin := .venv/bin
for_running := .venv/installed-for-running
for_tools := .venv/installed-for-tools
for_testing := .venv/installed-for-testing
for_deep := .venv/installed-for-deep
workers = $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2))
pip := $(bin)/python -m pip --disable-pip-version-check --quiet install --constraint constraints.txt

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(for_running) ## make .venv with the overland command

run: $(for_running) ## start the service and all it needs, until Ctrl-C
	@exec $(bin)/overland run

demo: $(for_tools) ## play a whole match of GAME=oregon against the running service, over HTTP
	@exec $(bin)/overland demo --game $(or $(GAME),oregon)

by-mail: $(for_tools) ## play a whole match of GAME=oregon by mail, through a Postfix and back BY=lmtp, mailbox or bare; needs root, Postfix, Dovecot
	@exec $(bin)/overland by-mail --game $(or $(GAME),oregon) --by $(or $(BY),lmtp)

first-turn: $(for_tools) ## time a fresh clone from make run to the first accepted turn
	@exec $(bin)/overland first-turn

# Many tests wait for processes that they have killed, so there are more workers than processors.

test: lint ## run the linters, the type checker and the quick tests: some minutes
	@$(bin)/python -m pytest -n $(workers) --dist worksteal -m 'not deep'

test-deep: $(for_deep) ## run the tests that are exhaustive, and those that break whole services
	@$(bin)/python -m pytest -n $(workers) --dist worksteal -m deep

lint: $(for_testing) ## run only the linters and the type checker
	@$(bin)/ruff check .
	@$(bin)/ruff format --check .
	@$(bin)/mypy

format: $(for_testing) ## format the source
	@$(bin)/ruff check --fix .
	@$(bin)/ruff format .

perft: $(for_testing) ## count all published positions of all games both ways; takes some minutes
	@$(bin)/python -m tests.games.perft

pictures: $(for_running) ## draw the boards of docs/images and of the rules again
	@$(bin)/python -m tests.games.pictures

mail-pictures: $(for_testing) ## show the turn mails in Chromium, for docs/images/mails
	@$(bin)/python -m tests.service.notices.pictured

page-pictures: $(for_testing) ## take the pictures of the pages in Chromium, for docs/images/pages
	@$(bin)/python -m tests.e2e.pictured

golden: $(for_testing) ## write the golden matches and refusals again: tests/games/<game>/*.txt
	@$(bin)/python -m tests.games.golden

mutants: $(for_testing) ## try 600 small changes of the code, and list those that no test notices
	@$(bin)/python -m tools.mutants $(MUTANTS)

soak: $(for_tools) ## cause faults in a service under load for MINUTES=20, then check its database with the ledger
	@exec $(bin)/overland soak --minutes $(or $(MINUTES),20) $(SOAK)

faults: $(for_testing) ## cause every kind of fault, and print the table of docs/faults.md
	@$(bin)/python -m tests.faults.table

lint-mail: $(for_testing) ## have SpamAssassin's own rules score one mail of every kind and game; all stay below 0.3
	@$(bin)/python -m tests.service.notices.lint

texts: $(for_testing) ## write the sentences that go through gettext to service/locale/overland.pot
	@$(bin)/python -m tests.texts

examples: $(for_testing) ## record the examples of answers in openapi/openapi.json again
	@RECORD_EXAMPLES=1 $(bin)/python -m pytest tests/openapi/test_examples.py
	@exec $(bin)/overland openapi

openapi: $(for_running) ## write openapi/openapi.json from the code
	@exec $(bin)/overland openapi

clean: ## remove .venv and caches; matches and mails in var/ stay
	@rm -rf .venv .node .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build dist *.egg-info
	@find engine service workers tools tests -name __pycache__ -type d -prune -exec rm -rf {} +

# pip runs again only when its input files have changed. Test tools are not installed for make run.

$(for_running): pyproject.toml constraints.txt | .venv/bin/python
	@echo "Installing Overland into .venv (once; about a minute)."
	@$(pip) --editable .
	@touch $@

$(for_tools): $(for_running)
	@echo "Installing the requirements of the tools into .venv (once)."
	@$(pip) --editable '.[tools]'
	@touch $@

$(for_testing): $(for_running)
	@echo "Installing the test tools into .venv (once; about a minute)."
	@$(pip) --editable '.[test]'
	@touch $@

$(for_deep): $(for_testing)
	@echo "Installing what only the deep tests need into .venv (once)."
	@$(pip) --editable '.[test,deep]'
	@touch $@

# On Debian, Python has no ensurepip unless python3-venv is installed; then any other way to get pip
# is used.

.venv/bin/python:
	@python=''; \
	for name in python3.13 python3.12 python3.11 python3; do \
	    if command -v $$name >/dev/null 2>&1 && $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then echo "Overland needs Python 3.11 or newer, and none of python3.13, python3.12, python3.11 and python3 is. Install it, then run make again." >&2; exit 1; fi; \
	rm -rf .venv; \
	if $$python -c 'import ensurepip' >/dev/null 2>&1; then $$python -m venv .venv; \
	elif $$python -m pip --version >/dev/null 2>&1; then $$python -m venv --without-pip .venv && $$python -m pip --quiet --python .venv/bin/python install pip; \
	elif command -v virtualenv >/dev/null 2>&1; then virtualenv --quiet --python "$$python" .venv; \
	elif command -v uv >/dev/null 2>&1; then uv venv --quiet --seed --python "$$python" .venv; \
	else echo "$$python cannot make virtual environments here, because its module ensurepip is missing. On Debian and Ubuntu: apt install python3-venv. Then run make again." >&2; exit 1; fi \
	|| { rm -rf .venv; echo "The virtual environment could not be made; the reason is above." >&2; exit 1; }
