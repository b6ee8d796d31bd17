# Each target does its own setup. PYTHON names the Python to use (3.11 or newer), ARGS holds more options. `make help` lists
# the targets with ##; docs/contributing.md lists the others.
PYTHON ?= python3
ARGS ?=
PY := .venv/bin/python
COMPILE = $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --no-header --no-annotate
WITH_SPARK := -m "not browser and not notebooks and not cluster"
BENCHMARKS := channels engine estates ibmmq panel pipeline sweep
# Some machines set this variable; with it, each process of the tests, of which there are hundreds, would compile mqlab again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup tour lab present test thorough tools spark cluster coverage bench mutants trust course lint notebooks again site lite lite-serve lite-check browser doctor lock check clean

help:  ## list the targets
	@echo 'mqlab: make TARGET [PYTHON=python3.12] [ARGS="..."]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18
	@echo 'docs/contributing.md has the targets for contributors.'

setup:  ## create .venv from the hashed lock (the other targets do this themselves)
	@command -v $(PYTHON) >/dev/null || { echo 'mqlab needs Python 3.11 or newer, and "$(PYTHON)" is not on PATH: make PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -I tools/bootstrap.py $(PAGE)

tour: PAGE = build/opening.html
tour: setup  ## run the guided tour and write build/tour.html; an opening page to play comes first
	@$(PY) -m mqlab tour $(ARGS)

lab: setup  ## open the notebooks in JupyterLab (ARGS=--no-browser only serves them)
	@$(PY) -m mqlab lab $(ARGS)

present: setup  ## serve the panel as a web page (ARGS="--scenario NAME --no-browser --port 8866")
	@$(PY) -m mqlab.cli.serve $(ARGS)

test: setup  ## run the tests
	@$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(ARGS)

thorough: setup  # run the tests and those that ask Spark, with every example of the long properties
	@MQLAB_THOROUGH=1 $(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(WITH_SPARK) $(ARGS)

tools: setup  # run the tests of the programs that make lint, mutants, notebooks, and site run
	@$(PY) -m pytest -q -m tools tests/tools $(ARGS)

spark: setup  # run the tests that ask Spark: its answers, plans, files, streams, and sweeps
	@$(PY) -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m "spark and not cluster and not notebooks" tests/pipeline $(ARGS)

cluster: setup  # run the tests on a Spark cluster of this machine and over Spark Connect, and those that take longest on Spark
	@$(PY) -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m cluster tests/pipeline $(ARGS)

coverage: setup  # measure which branches of the engine the tests take
	@mkdir -p build
	@$(PY) -m pytest -q $(WITH_SPARK) --ignore tests/cli --ignore tests/tools --ignore tests/views --cov --cov-report term-missing:skip-covered $(ARGS)

bench: setup  # measure speed and memory, and print the ratios
	@set -e; for name in $(BENCHMARKS); do $(PY) -m tools.bench.$$name $(ARGS); done

mutants: setup  # switch each trigger condition off in turn, and check that a test fails
	@$(PY) -m tools.mutants $(ARGS)

trust: setup  # write the list of what is modeled and what is not: build/trust.html, docs/rules.md, and docs/checks.md
	@$(PY) -m tools.trust --output build/trust.html --output docs/rules.md $(ARGS)
	@$(PY) -m tools.checks docs/checks.md

course: setup  # write docs/course.md, the course rule by rule, the table of misconceptions, and the links in notebooks
	@$(PY) -m tools.course --links
	@$(PY) -m tools.course $(ARGS)
	@$(PY) -m tools.beliefs

lint: setup  ## check style, types, names, readers of sentences, and the spelling of texts
	@$(PY) -m ruff check . $(ARGS)
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -m tools.prose_protocol
	@$(PY) -m tools.names_count
	@$(PY) -m codespell_lib README.md docs datasets/README.md mqlab tools notebooks exercises

notebooks: setup  ## run every notebook and exercise twice (as found, and solved)
	@$(PY) -m tools.notebooks $(ARGS)

again: setup  # run each cell of each notebook again: what it shows must be the same
	@$(PY) -m pytest -q -n 2 --dist load --maxschedchunk 1 -m notebooks tests/pipeline tests/course $(ARGS)

site: setup  ## write the whole course as pages: build/site/index.html
	@$(PY) -m tools.site $(ARGS)

lite: setup  ## write the course as a folder that runs in a browser, for any web server: build/lite/index.html
	@$(PY) -m tools.lite $(ARGS)

lite-serve: setup  ## serve build/lite on this machine (ARGS="--port 8000")
	@$(PY) -m tools.lite --serve $(ARGS)

lite-check:  # write that folder, try all of it and the live page, in headless Chromium and Firefox, and measure visits
	@$(MAKE) --no-print-directory lite ARGS=
	@MQLAB_LITE_FOLDER=build/lite MQLAB_LITE=all MQLAB_BROWSER_LONG=1 $(PY) -m pytest tests/browser/test_lite*.py tests/browser/test_programs.py tests/browser/test_live.py -m browser $(ARGS)
	@$(PY) -m tools.bench.lite_visits

browser: setup  # drive JupyterLab and the tour in headless Chromium; tests wait a third of their time, so three run on two cores
	@$(PY) -m pytest tests/browser -m browser -n 3 --dist loadfile --no-loadscope-reorder $(ARGS)

doctor: setup  ## check this machine, and show how to fix problems
	@$(PY) -m mqlab doctor $(ARGS)

lock: setup  # resolve pyproject.toml again into the hashed locks (ARGS=--upgrade takes newer versions)
	@$(COMPILE) --all-extras pyproject.toml -o requirements.lock $(ARGS)
	@$(COMPILE) tools/requirements-lite.in -o tools/requirements-lite.lock $(ARGS)

check:  ## run everything that CI runs (ARGS=--list shows each step and what it is for)
	@bash .ci/run $(ARGS)

clean:  ## remove the build output; .venv stays
	rm -rf build .pytest_cache .ruff_cache .hypothesis
