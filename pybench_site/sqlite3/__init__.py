"""Django's SQLite backend whose features do not depend on the moment."""
