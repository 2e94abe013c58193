"""Large pictures as a preview shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from runner.previews.inside.media import read_picture


def test_large_picture_is_made_small_before_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.png"
    Image.new("RGB", (4_000, 3_000), "white").save(path)
    copied: list[tuple[int, int]] = []
    convert = Image.Image.convert

    def record(image: Image.Image, *args: Any, **named: Any) -> Image.Image:
        copied.append(image.size)
        return convert(image, *args, **named)

    monkeypatch.setattr(Image.Image, "convert", record)
    found = read_picture(str(path))
    assert found["facts"] == [["kind", "PNG"], ["size", "4,000 × 3,000"]]
    assert found["note"] == "Shown smaller than it is."
    assert copied == [(2_000, 1_500)]
