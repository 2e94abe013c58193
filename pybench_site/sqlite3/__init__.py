"""Django's SQLite backend whose transactions of one process wait for each other in order."""
