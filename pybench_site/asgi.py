"""The web server's door: the WSGI application behind threads that no slow visitor can hold."""

from leaderboard.serving.exchange import Server
from pybench_site.wsgi import application as wsgi_application

application = Server(wsgi_application)
