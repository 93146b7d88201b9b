# Two commands do everything: `make run` and `make test`. Both set up .venv first, and only when something changed.
HOST  ?= 127.0.0.1
PORT  ?= 8000
NAMES ?=
LESSONS ?=
MNIST ?=
SITE ?= site
PROGRAMS ?=

VENV := .venv
PY   := $(VENV)/bin/python
# Of PyTorch's thousands of modules few are ever read: each is compiled when it is.
INSTALL := $(PY) -m pip --disable-pip-version-check install --no-compile
# On Linux the ordinary index gives a build of several GB for graphics cards; this one gives the small build.
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

UV := 0.13.9
# HASHES=required ends where a file is not the one that is locked. Otherwise the same version is taken with a warning:
# behind a mirror that builds its own files no hash can fit.
HASHES ?=
PRETTY := $(PY) -m tests.tools.node $(VENV)/node_modules/prettier/bin/prettier.cjs --log-level warn \
	'static/js/**/*.js' 'tests/js/**/*.js' 'tests/tools/*.js'
ESLINT := $(PY) -m tests.tools.node tests/tools/eslint.js $(VENV)/node_modules tests/js/tsconfig.json static/js
LAYOUT := $(PY) -m tests.tools.node tests/tools/layout.js $(VENV)/node_modules
PYTEST := $(PY) -m pytest --numprocesses auto --maxprocesses 5 --dist worksteal

# The tests start dozens of processes: where the shell forbids Python to keep what it has compiled, each of them would
# compile all of PyTorch that it reads, which takes as long as reading it.
test tests bench: export PYTHONDONTWRITEBYTECODE :=

.PHONY: run class site test test-all tests lint format lock bench clean
.DELETE_ON_ERROR:

run: $(VENV)/.run
	@exec $(PY) -m app --host "$(HOST)" --port "$(PORT)" $(if $(NAMES),--names "$(NAMES)") $(if $(LESSONS),--lessons "$(LESSONS)") $(if $(MNIST),--mnist "$(MNIST)") $(CLASS) $(ARGS)

# The same for a class: other machines on the network may come, and join at the address that it says.
class: CLASS := --class
class: HOST = 0.0.0.0
class: run

# The course as a folder that any web host serves.
site: $(VENV)/.run
	@$(PY) -m app.site "$(SITE)" $(if $(LESSONS),--lessons "$(LESSONS)") $(foreach one,$(PROGRAMS),--program "$(one)")

# Linting takes a good minute of one core the first time: the tests run beside it. Types are kept for the next one.
test: $(VENV)/.test
	@$(PY) -m tests.tools.chromium
	@$(MAKE) --no-print-directory --jobs=2 lint tests \
		|| { echo "Something above failed; \`make lint\` and \`make tests\` tell which." >&2; exit 1; }

tests: $(VENV)/.test
	@$(PY) -m tests.tools.node --test-reporter dot tests/js/every.js
	@$(PYTEST) $(SCOPE) $(ARGS)

# The same with all that `make test` leaves out or tries on fewer programs.
test-all: export SCOPE := --all
test-all: test

lint: $(VENV)/.test
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(PY) -m tests.tools.node $(VENV)/node_modules/typescript/bin/tsc -p tests/js \
		--incremental --tsBuildInfoFile $(VENV)/.types
	@$(ESLINT)
	@$(PRETTY) --check
	@$(LAYOUT) --check

# Writes the layout of Python, scripts, style sheets and templates that `make lint` asks for.
format: $(VENV)/.test
	@$(VENV)/bin/ruff format
	@$(PRETTY) --write
	@$(LAYOUT) --write

bench: $(VENV)/.test
	@$(PY) -m tests.tools.chromium
	@$(PY) -m tests.bench

# After a change to pyproject.toml or constraints.txt; the only target that needs PyPI itself.
lock: $(VENV)/.run
	@$(INSTALL) --quiet uv==$(UV)
	@$(PY) -m tests.tools.lock

clean:
	rm -rf $(VENV)

$(VENV)/.torch: constraints.txt
	@test -n "$(PYTHON)" || { echo "gradwalk needs Python 3.11 or newer with its venv module; none was found." >&2; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@test "$$(uname)" != Linux || $(INSTALL) --no-deps --retries 1 --timeout 15 -c constraints.txt \
		--index-url $(TORCH_INDEX) torch \
		|| echo "PyTorch's CPU index cannot be reached: torch comes from the ordinary index, which may be much larger."
	@touch $@

define locked
	@$(INSTALL) --quiet --no-deps --require-hashes -r locks/$(1).txt || { test "$(HASHES)" != required \
		&& echo "WARNING: not the files that locks/$(1).txt names; taking the same versions, unchecked." >&2 \
		&& sed -n 's/^\([a-z].*\) \\$$/\1/p' locks/$(1).txt | $(INSTALL) --quiet --no-deps -r /dev/stdin; }
endef

$(VENV)/.node: locks/node.txt
	$(call locked,node)

$(VENV)/.run: $(VENV)/.torch pyproject.toml locks/run.txt
	$(call locked,run)
	@$(INSTALL) --quiet --no-build-isolation -c constraints.txt -e '.[server]'
	@touch $@

$(VENV)/.test: $(VENV)/.run $(VENV)/.npm locks/test.txt
	$(call locked,test)
	@touch $@

$(VENV)/.npm: $(VENV)/.run locks/package.json locks/package-lock.json
	@$(PY) -m tests.tools.node npm --version >/dev/null 2>&1 || $(MAKE) --no-print-directory $(VENV)/.node
	@cp locks/package.json locks/package-lock.json $(VENV)
	@$(PY) -m tests.tools.node npm ci --prefix $(VENV) --no-audit --no-fund --loglevel error >/dev/null
	@touch $@
