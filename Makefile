# make test    everything that must hold: format, lints, tests, documentation, generated files
# make build   the kingpin command, optimised
# make docs    documentation of the library, in target/doc
# make instructions   instructions of accelerations and runs, counted by callgrind; BEFORE=list compares with an earlier list
# make outside  exports read by pandas, NumPy, PyVista and the validator of glTF; needs Python, Node.js and a network
# make browser  type check of the report page, and its tests in Chromium; part of make test
# make tolerance   error over tolerance of all methods on four mechanisms, as a table
# make pictures   pictures of the documentation, after a change of the report page
# make torture   a million broken models, read and run in process, and a thousand kills of runs; hours
# make trust   reference motions with every method: errors over tolerances, all of them
# make validation   docs/validation.md: reference values and published tables, with what the commands give today
# make python   the wheel of the package for Python, and its tests in an environment of their own; part of make test
# make python-heavy   types of its examples and tests by mypy and pyright, and its page in JupyterLab in Chromium
# make generated   schema, reference page, glossary and table of methods, after a change of elements, fields, methods, topics

CARGO ?= cargo
# built together with the tests: features of crates are then those of the tests, and nothing is compiled twice
BUILT = $(CARGO) build --quiet --workspace --bins --tests
KINGPIN = target/debug/kingpin
GENERATED = target/generated
PAGES = schema.json reference.md glossary.md methods.md
# most items that the pages of the library show besides kinds of elements
ITEMS = 95

.PHONY: build test docs format lints tests ranks openmpi doctests fresh pages generated browser pictures chromium outside tools \
	tolerance torture torture-models torture-folders trust instructions python python-heavy wheel

build:
	$(CARGO) build --release

test: format lints tests ranks doctests docs fresh browser python

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@items=$$(grep -o '<li><a href="[^"]*"' target/doc/kingpin/all.html | grep -cv 'elements/'); [ "$$items" -le $(ITEMS) ] \
	|| { echo "the library shows $$items items; a front door has at most $(ITEMS)"; exit 1; }

format: tools
	$(CARGO) fmt --all -- --check

# with the feature that tests do without
lints: tools
	$(CARGO) clippy --workspace --all-targets --features kingpin-cli/parquet --quiet -- -D warnings

# processes of MPI, where it is installed or can be; part of make test
ranks: openmpi
	@if command -v mpicc >/dev/null && command -v mpirun >/dev/null; \
	then $(CARGO) test --workspace --features kingpin-cli/mpi --test mpi; \
	else echo "skipped: tests of ranks need OpenMPI (libopenmpi-dev, openmpi-bin, libclang-dev)"; fi

openmpi:
	@command -v mpicc >/dev/null && command -v mpirun >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q \
	&& apt-get install -q -y --no-install-recommends libopenmpi-dev openmpi-bin libclang-dev; } || true

# doc tests are not known to nextest, so they have a line of their own
tests:
	@if $(CARGO) nextest --version >/dev/null 2>&1; \
	then $(CARGO) nextest run --workspace --status-level slow; \
	else $(CARGO) test --workspace --lib --bins --tests; fi

doctests:
	$(CARGO) test --workspace --doc --quiet

# what is generated and checked in must be what the command prints today
fresh: pages
	@for page in $(PAGES); do diff -u docs/$$page $(GENERATED)/$$page \
	|| { echo "docs/$$page is out of date: run make generated"; exit 1; }; done

# a page of which only a table is generated names the command that prints it above the table
pages:
	$(BUILT)
	mkdir -p $(GENERATED)
	$(KINGPIN) schema > $(GENERATED)/schema.json
	$(KINGPIN) schema --reference > $(GENERATED)/reference.md
	$(KINGPIN) explain --glossary > $(GENERATED)/glossary.md
	$(KINGPIN) list methods --markdown > $(GENERATED)/methods.table
	sed -e '/^<!-- kingpin list methods/,/^<!-- end/{//!d;}' -e '/^<!-- kingpin list methods/r $(GENERATED)/methods.table' \
		docs/methods.md > $(GENERATED)/methods.md

PYTHON ?= python3
# the environment that the wheel is tried in
VENV = target/python
FOR_TESTS = maturin numpy pandas matplotlib pyarrow scipy control pytest

python:
	@if $(PYTHON) -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; \
	then $(MAKE) --no-print-directory wheel && $(VENV)/bin/python -m pytest -q -p no:cacheprovider; \
	else echo "skipped: tests of the package for Python need Python 3.9 or later with venv"; fi

# built as the tests are, so that nothing is compiled twice; pip install . builds it optimised
wheel:
	@[ -x $(VENV)/bin/pip ] || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check $(FOR_TESTS)
	$(VENV)/bin/maturin build --quiet --profile dev --out target/wheels
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/kingpin-*.whl
	$(PYTHON) crates/kingpin-python/generate.py --check

python-heavy: wheel chromium
	$(VENV)/bin/pip install --quiet --disable-pip-version-check mypy pyright pandas-stubs jupyterlab
	$(VENV)/bin/mypy
	$(VENV)/bin/pyright --pythonpath $(VENV)/bin/python
	VENV=$(CURDIR)/$(VENV) node crates/kingpin-python/tests/notebook.mjs

torture: torture-models torture-folders

torture-models:
	KINGPIN_TRIALS=1000000 KINGPIN_WATCH=1 $(CARGO) test --release --package kingpin-io --test torture -- --nocapture

# runs and studies killed anywhere, out of disk, met by others, damaged: the same bytes after all; files of the user stay
torture-folders:
	KINGPIN_KILLS=1000 nice $(CARGO) test --package kingpin-cli --test cli kills -- --nocapture --include-ignored
	KINGPIN_DAMAGES=2000 nice $(CARGO) test --package kingpin-cli --test cli damage -- --nocapture
	KINGPIN_UNLUCKY=300 nice $(CARGO) test --package kingpin-cli --test cli unlucky -- --nocapture

tolerance:
	$(CARGO) test --package kingpin-io --test motion --quiet -- --ignored --nocapture tolerance::table

# 3 percent more than before is too much
instructions:
	$(CARGO) build --quiet --release --package kingpin-cli --package kingpin-io --bin kingpin --example accelerations
	tests/instructions/count.sh target/release | tee target/instructions.txt
	@[ -z "$(BEFORE)" ] || tests/instructions/compare.sh $(BEFORE) target/instructions.txt

outside:
	CARGO="$(CARGO)" tests/outside/run.sh

# the page that is tested is the one that cargo builds into the command
browser: chromium
	$(BUILT)
	cd viewer && npm run --silent check
	cd viewer && npx vite build --logLevel warn
	cd viewer && node --test --test-reporter=spec --test-concurrency=1 test/*.test.mjs

pictures: chromium
	$(CARGO) build --quiet --package kingpin-cli
	cd viewer && npm run --silent pictures

chromium:
	@cd viewer && { [ -d node_modules ] || npm ci --no-audit --no-fund --loglevel=error; }
	@cd viewer && node test/browser.mjs 2>/dev/null || { \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; \
	then apt-get update -q && apt-get install -q -y --no-install-recommends chromium fonts-dejavu-core; \
	else node test/browser.mjs; fi; }

# the quick ones are part of the tests
trust:
	$(CARGO) run --quiet --release --package kingpin-trust --bin trust

validation:
	$(CARGO) build --quiet --release --package kingpin-cli --package kingpin-trust --bin kingpin --bin validation
	target/release/validation target/release/kingpin

generated: pages
	mkdir -p docs
	for page in $(PAGES); do cp $(GENERATED)/$$page docs/$$page; done
	@! command -v $(PYTHON) >/dev/null || $(PYTHON) crates/kingpin-python/generate.py

tools:
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy
