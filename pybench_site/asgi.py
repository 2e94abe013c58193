"""The web server's door: the WSGI application behind threads that no slow visitor can hold."""

import resource

from pybench_site.wsgi import application as wsgi_application  # before settings are read

# isort: split
from leaderboard.serving.exchange import Server

# Each connection takes a descriptor, also while nobody speaks on it.
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
application = Server(wsgi_application)
