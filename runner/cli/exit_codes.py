"""Exit codes of `pybench`, as docs/endpoints.md lists them."""

DONE = 0  # every attempt has a verdict
INCOMPLETE = 1  # some attempts are void or open
BAD_INPUT = 2  # nothing was started, or the endpoint refused the first request
GONE = 3  # the endpoint or the site went away and did not come back
BROKEN = 4  # evidence is not what its signature or its digests say
DIFFERENT = 5  # a verdict or a figure came out otherwise
INTERRUPTED = 130  # by Ctrl-C
