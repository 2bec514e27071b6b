# make run   compile an example kernel to PTX, show it, assemble it
# make test  run every test
# make quick run the tests without the long differential runs
# make browser  open the pages in Chromium and test them; installs the extra `browser`
# make docs  make the generated pages and the site, build/site/index.html
# make man   make the manual pages, build/man/*.1
# make prove  prove the rewrite rules; takes long
# make gpu   compare the simulator with the GPU of this machine, and time kernels on it; results in build/gpu
# All set up .venv first and need only Python >= 3.11.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo $$p; break; fi; done)
JOBS ?= 2
ARCH ?= sm_90
EXAMPLE ?= examples/saxpy.ll

BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: run test quick browser check format docs man prove bench gpu clean

run: $(INSTALLED)
	@mkdir -p build
	$(BIN)/nvvm-cc $(EXAMPLE) -arch $(ARCH) -o build/example.ptx
	@cat build/example.ptx
	@ptxas=$$($(BIN)/python -m nvvm_xdsl.driver.toolkit ptxas) && \
	echo "ptxas -arch=$(ARCH) -v build/example.ptx -o build/example.cubin" && \
	"$$ptxas" -arch=$(ARCH) -v build/example.ptx -o build/example.cubin

test: $(INSTALLED)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

quick: $(INSTALLED)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(PYTEST_ARGS)

browser: $(INSTALLED)
	@$(BIN)/python docs/chromium.py
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check -e '.[browser]'
	$(BIN)/python -m pytest test/lab/report/test_page.py test/lab/test_live.py test/test_site.py test/integrations/test_notebook_app.py

check: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(INSTALLED)
	$(BIN)/python -m dev.pass_table docs/passes.md
	$(BIN)/python -m dev.lowering_table docs/lowering.md
	$(BIN)/python docs/import_graph.py docs/architecture.md
	$(BIN)/python docs/console_blocks.py docs/testing.md docs/broken-kernels.md docs/debugging.md
	$(BIN)/python docs/debugger_picture.py
	$(BIN)/python docs/gui_picture.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

man: $(INSTALLED)
	$(BIN)/python -m nvvm_xdsl.tools.man_pages build/man

prove: $(INSTALLED)
	$(BIN)/python -m dev.prove --output docs/rules.md

# A step with findings does not end the others.
gpu: $(INSTALLED)
	@mkdir -p build/gpu
	$(BIN)/nvvm-run examples/saxpy.ll --gpu --stats --block 32 --arg 10 --arg 2.0 --arg f32[10]=arange --arg f32[10]=1 --print 3
	-$(BIN)/python bench/bench_gpu.py time --out build/gpu/time.jsonl
	-$(BIN)/python bench/bench_gpu.py count -j $(JOBS) --out build/gpu/count.jsonl
	-$(BIN)/python bench/bench_gpu.py check -j $(JOBS) --out build/gpu/check.jsonl
	-$(BIN)/python -m pytest -n $(JOBS) test/lab/gpu
	-$(BIN)/python -m pytest -n $(JOBS) -p dev.gpu_replay --replay build/gpu/replay test/simulator test/corpus
	-$(BIN)/nvvm-fuzz --against gpu -j $(JOBS) --count 5000 --state build/gpu/fuzz.sqlite --out build/gpu/failures

bench: $(INSTALLED)
	$(BIN)/python bench/bench_compile.py

$(INSTALLED): pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; set PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check -e '.[dev,cuda]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build *.egg-info
