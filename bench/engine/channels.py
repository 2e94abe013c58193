"""Has kernels that are forked speak through ipykernel's own channels."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from runner.sandbox.sandboxd import launch

REPLACED = "runner/sandbox/inside/kernel_overrides.py"
PLAIN = Path(__file__).with_name("plain_channels.py")
MAKERS = {  # by their rows in the tables
    "zygote, ipykernel's channels": "make_app_with_shell",
    "zygote, ipykernel whole": "make_whole_app",
}


@contextmanager
def plain_channels(maker: str) -> Iterator[None]:
    """Services that are started meanwhile have kernels by this function of `plain_channels`."""
    source = f"{PLAIN.read_text()}\n\nmake_app = {maker}\n".encode()
    before = launch.make_service_bundle

    def make_bundle() -> bytes:
        return with_file(before(), REPLACED, source)

    with patch.object(launch, "make_service_bundle", make_bundle):
        yield


def pytest_configure() -> None:
    """Run tests with them: `pytest -p bench.engine.channels -k zygote FILE`."""
    plain_channels("make_app_with_shell").__enter__()


def with_file(archive: bytes, name: str, data: bytes) -> bytes:
    """The archive with other content for one of its files."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as given, zipfile.ZipFile(content, "w") as made:
        assert name in given.namelist()
        for each in given.namelist():
            made.writestr(each, data if each == name else given.read(each))
    return content.getvalue()
