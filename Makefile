# Two commands are all there is to know: `make run` and `make test`.
PYTHON ?= python3
UV = .venv/bin/uv
LOCK = $(UV) pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.PHONY: run test check lock clean

run:  ## set up what is missing, then start the site at http://127.0.0.1:8000
	@$(PYTHON) pybench_site/install.py run
	@exec .venv/bin/python -m pybench_site.serve

test:  ## set up what is missing, then run every check and test
	@$(PYTHON) pybench_site/install.py test
	@.venv/bin/python -m pybench_site.verify

lock:  ## turn the requirements.in files into locks
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(LOCK) requirements-s3.in -o requirements-s3.txt
	$(LOCK) suites/environment/requirements.in -o suites/environment/requirements.txt
	$(LOCK) --no-deps suites/environment/nltk-data.in -o suites/environment/nltk-data.txt
	$(LOCK) bench/gradio-requirements.in -o bench/gradio-requirements.txt
	$(LOCK) runner/tests/gateway-requirements.in -o runner/tests/gateway-requirements.txt

clean:  ## forget everything that is stored and set up
	rm -rf .venv var
