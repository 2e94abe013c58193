"""Static files under hashed names, the imports of our modules included."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModulesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Without the rewritten imports a module would load twice, under two names."""

    support_js_module_import_aggregation = True
