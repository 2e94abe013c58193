"""Django's backend with connections of `pybench_site.postgresql.bounded`."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base

from pybench_site.postgresql import bounded


class DatabaseWrapper(base.DatabaseWrapper):
    """Its connections end when the server says nothing for `silence_s` seconds (0: never)."""

    Database = bounded  # where Django looks for `connect` and the exceptions

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop("silence_s", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.silence_s = float(self.settings_dict["OPTIONS"].get("silence_s", 0))
        return connection
