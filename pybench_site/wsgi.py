"""The web server's door."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from pybench_site import allocator, database

allocator.hold_little()
database.serve(is_web=True)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")
application = get_wsgi_application()

assert get_resolver().url_patterns  # loads the views, so that no visitor waits for them
gc.collect()
gc.freeze()  # else a full collection walks all that is loaded, in the middle of somebody's page
