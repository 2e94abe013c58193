"""The site's settings for tests that send more than an account may."""

from pybench_site.settings import *  # noqa: F403

UPLOADS_PER_DAY = UPLOAD_MB_PER_DAY = SUBMISSIONS_PER_DAY = 100_000
API_REQUESTS_PER_MINUTE = {"stranger": 120, "token": 600, "write": 100_000}
