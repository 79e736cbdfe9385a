# Two commands do all their own set-up: `make tour` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: help tour test slow integrations check docs benchmarks bundled format clean

help:
	@echo "make tour    set up and walk through all five kinds of explanation: fetches 0.5 GB, with LARGE=yes 1.1 GB more"
	@echo "make test    set up and run every check and test that can run here"
	@echo "make check   run the linter, the type checker and the contract of layers"
	@echo "make slow    run the tests that take long: whole collections in a browser, clusters, packages"
	@echo "make integrations  test inspect_ai, lm_eval, trl and verifiers, each in an environment of its own (3 GB)"
	@echo "make docs    build the site of docs/ into build/site; links are checked"
	@echo "make benchmarks  compare speeds, with WHENCE_DATA set; writes docs/benchmarks.md"
	@echo "make bundled  train again the small models that ship with the package, with WHENCE_DATA set"
	@echo "make format  let ruff rewrite the code's layout"

# An installed tree is marked by a stamp that is older than pyproject.toml when dependencies changed.
$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[web]'
	@touch $@

# Tests also install a plug-in as anybody would: a distribution of its own, not editable, built by what is here.
PLUGIN := $(shell find tests/plugin -type f -not -path '*/__pycache__/*')

$(VENV)/.installed-test: pyproject.toml $(VENV)/.installed $(PLUGIN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall ./tests/plugin
	@touch $@

# Weights of the catalogue, .encoder, .reader, .writer or .large; without a network the rest works, and says what it lacks.
$(VENV)/.%: $(VENV)/.installed
	@$(BIN)/whence models get $* --yes && touch $@ || echo "The weights '$*' could not be had; going on without."

# The rules of accessibility that browser tests ask; they skip without it, and without chromium.
$(VENV)/axe/package.json:
	@npm install --silent --no-fund --no-audit --prefix $(VENV)/axe axe-core || echo "axe-core could not be had; going on without."

tour: $(VENV)/.installed $(VENV)/.encoder $(VENV)/.reader $(if $(LARGE),$(VENV)/.large)
	@$(BIN)/whence tour

TESTED := $(VENV)/.encoder $(VENV)/.reader $(VENV)/.writer

# With SLOW=yes those of `make slow` too, in one session; they go first, so that no process is left with a long one.
test: $(VENV)/.installed-test $(TESTED) $(VENV)/axe/package.json check
	$(BIN)/python -m pytest -n auto --dist worksteal $(if $(SLOW),-m "slow or not slow")

slow: $(VENV)/.installed-test $(TESTED) $(VENV)/axe/package.json
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

# Other people's packages, which do not fit into one environment; the versions that the tests were written for.
ENVIRONMENTS := .venv-integrations
INTEGRATIONS := inspect_ai lm_eval verifiers trl
inspect_ai_WANTS := inspect_ai==0.3.285
lm_eval_WANTS := lm_eval==0.4.13
verifiers_WANTS := verifiers==0.4.0
trl_WANTS := trl==1.16.0 torch==2.13.0

$(ENVIRONMENTS)/%/.installed: pyproject.toml
	@test -x $(ENVIRONMENTS)/$*/bin/python || $(PYTHON) -m venv $(ENVIRONMENTS)/$*
	$(ENVIRONMENTS)/$*/bin/python -m pip install --quiet --disable-pip-version-check --editable . pytest hypothesis $($*_WANTS)
	@touch $@

.PRECIOUS: $(ENVIRONMENTS)/%/.installed
integration-%: $(ENVIRONMENTS)/%/.installed
	$(ENVIRONMENTS)/$*/bin/python -c "import $*"
	HF_HUB_OFFLINE=1 $(ENVIRONMENTS)/$*/bin/python -m pytest -q -W default tests/integrations/test_$*.py tests/integrations/test_snippets.py

integrations: $(INTEGRATIONS:%=integration-%)

check: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Warnings are errors: a link or an anchor that leads nowhere, a page that the navigation lacks.
docs: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/mkdocs build --strict --quiet
	@echo "The site: build/site/index.html"

# Ratios in one run; needs WHENCE_DATA. Writes docs/benchmarks.md.
benchmarks: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[benchmark]'
	$(BIN)/python benchmarks/run.py

# The heads under src/whence/models/bundled; needs WHENCE_DATA and the encoder.
bundled: $(VENV)/.installed $(VENV)/.encoder
	$(BIN)/python tools/make_bundled.py

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) $(ENVIRONMENTS) build dist .mypy_cache .ruff_cache .hypothesis
