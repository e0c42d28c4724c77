# make test    everything that must hold: format, lints, tests, documentation, generated files, page, Python
# make quick   format, lints and tests of what changed since BASE (default: where make test last passed), slow ones left out
# make build   the kingpin command, optimised
# make docs    documentation of the library, in target/doc
# make instructions   instructions of start-up, accelerations and runs, counted by callgrind, compared with the list in the tree
# make perf    Kingpin and other programs in one run: ratios of times at equal errors
# make release what people install: tarball, wheel, source packages, checksums, in target/release-files
# make nightly what takes hours: torture, kills, long reference motions, whole runs counted
# make licences   licences, sources and versions of all dependencies
# make packages   source packages of the crates, as a registry takes them
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

.PHONY: build test quick nightly docs format lints tests ranks openmpi doctests fresh pages generated browser page-checks \
	pictures chromium outside tools tolerance torture torture-models torture-folders trust validation instructions perf valgrind \
	parquet licences packages release python python-heavy wheel passed

build:
	$(CARGO) build --release

test: format lints tests ranks doctests docs fresh browser python passed

# where `make quick` begins, if all that was tested is committed
passed:
	@[ -n "$$(git status --porcelain 2>/dev/null)" ] || git rev-parse HEAD > target/passed 2>/dev/null || true

quick:
	tests/tools/quick.sh $(BASE)

nightly: parquet torture python-heavy outside tolerance
	$(CARGO) run --quiet --release --package kingpin-trust --bin trust -- --long
	$(CARGO) nextest run --release --workspace --run-ignored only -E 'test(link::)'
	tests/instructions/count.py --whole target/release

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@items=$$(grep -o '<li><a href="[^"]*"' target/doc/kingpin/all.html | grep -cv 'elements/'); [ "$$items" -le $(ITEMS) ] \
	|| { echo "the library shows $$items items; a front door has at most $(ITEMS)"; exit 1; }

format: tools
	$(CARGO) fmt --all -- --check

lints: tools
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings

# heavy to build, so only here and where other programs read it
parquet: tools
	$(CARGO) clippy --workspace --all-targets --features kingpin-cli/parquet --quiet -- -D warnings

# processes of MPI, where it is installed or can be; part of make test
ranks: openmpi
	@if command -v mpicc >/dev/null && command -v mpirun >/dev/null; \
	then $(CARGO) test --workspace --features kingpin-cli/mpi --test mpi --quiet; \
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
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/kingpin_dynamics-*.whl
	$(PYTHON) crates/kingpin-python/generate.py --check

python-heavy: wheel chromium
	$(VENV)/bin/pip install --quiet --disable-pip-version-check mypy pyright pandas-stubs jupyterlab
	$(VENV)/bin/mypy
	$(VENV)/bin/pyright --pythonpath $(VENV)/bin/python
	VENV=$(CURDIR)/$(VENV) node crates/kingpin-python/tests/notebook.mjs

torture: torture-models torture-folders

torture-models:
	KINGPIN_TRIALS=1000000 KINGPIN_WATCH=1 $(CARGO) nextest run --release --workspace --test io --no-capture torture

# runs and studies killed anywhere, out of disk, met by others, damaged: the same bytes after all; files of the user stay
torture-folders:
	KINGPIN_KILLS=1000 nice $(CARGO) nextest run --workspace --test cli --no-capture --run-ignored all kills
	KINGPIN_DAMAGES=2000 nice $(CARGO) nextest run --workspace --test cli --no-capture damage
	KINGPIN_UNLUCKY=300 nice $(CARGO) nextest run --workspace --test cli --no-capture unlucky

tolerance:
	$(CARGO) nextest run --workspace --test io --no-capture --run-ignored only motion::tolerance::table

# 3 percent more than the list says is too much; a list of another compiler is only compared, as are other machines
instructions: valgrind
	$(CARGO) build --quiet --release --package kingpin-cli --package kingpin-io --bin kingpin --example accelerations
	tests/instructions/count.py target/release

valgrind:
	@command -v valgrind >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& apt-get update -q && apt-get install -q -y --no-install-recommends valgrind; }

# programs that are not available are skipped by name; not part of the tests
perf: build
	@if command -v $(PYTHON) >/dev/null; then $(PYTHON) tests/perf/perf.py target/release/kingpin; \
	else echo "skipped: comparisons with other programs need Python 3.9 or later"; fi

release:
	tests/tools/release.sh

licences:
	$(CARGO) nextest run --workspace --test cli dependencies

packages:
	tests/tools/packages.sh

outside:
	CARGO="$(CARGO)" tests/outside/run.sh

# the page that is tested is the one that cargo builds into the command
browser: page-checks
	$(BUILT)
	cd viewer && npx vite build --logLevel warn
	cd viewer && node test/run.mjs

page-checks: chromium
	cd viewer && npm run --silent check

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
