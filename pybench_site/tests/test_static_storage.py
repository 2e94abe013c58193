"""Collected static files: hashed names everywhere, the imports of modules included."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage

from pybench_site.static_storage import HashedModulesStorage

IMPORT = re.compile(r'from "\./([\w.-]+)"')


def test_every_import_of_a_module_is_hashed(tmp_path: Path) -> None:
    source = FileSystemStorage(location=settings.BASE_DIR / "static")
    collected = HashedModulesStorage(location=tmp_path, base_url="/static/")
    names = [f"js/{name}" for name in source.listdir("js")[1]]
    for name in names:
        with source.open(name) as file:
            collected.save(name, file)
    done = list(collected.post_process({name: (source, name) for name in names}))
    assert not [error for _, _, error in done if isinstance(error, Exception)]
    replay = (tmp_path / collected.stored_name("js/replay.js")).read_text()
    site = collected.stored_name("js/site.js").removeprefix("js/")
    assert IMPORT.findall(replay) == [site]
    assert site != "site.js"
