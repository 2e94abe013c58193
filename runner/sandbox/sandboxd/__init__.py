"""The service that owns warm sandboxes: an unprivileged process apart from the workers.

`python -m runner.sandbox.sandboxd --socket PATH` starts it; a worker without its address starts
one of its own. `__main__` and `launch` run on the worker's side, `service` and what it imports in
the service, `zygote_main`, `wall`, `landlock` and `fresh` behind the first wall. Everything after
`launch` is standard library alone and travels as one archive in memory: the service's user need
not be able to read the project.
"""
