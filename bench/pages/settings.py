"""The site's settings with no limit for strangers: pages of the API are asked fast."""

from pybench_site.settings import *  # noqa: F403

API_REQUESTS_PER_MINUTE = {"stranger": 1_000_000, "token": 600, "write": 30}
