"""Django's backend, with what SQLite can do stated instead of asked.

Django asks for JSON in a transaction of a connection's own, and takes a database that is locked at
that moment for one without, as long as the connection is kept.
"""

from __future__ import annotations

from django.db.backends.sqlite3 import base, features


class Features(features.DatabaseFeatures):
    """SQLite's abilities."""

    supports_json_field = True  # since 3.38, and in Debian's and Ubuntu's builds before
    can_introspect_json_field = True
    has_json_object_function = True


class DatabaseWrapper(base.DatabaseWrapper):
    """Connections with these features."""

    features_class = Features
