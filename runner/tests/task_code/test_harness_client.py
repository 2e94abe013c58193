"""Checks that open models are given a process set aside for it before they begin."""

from __future__ import annotations

from pathlib import Path

from runner.suite.library_pack import check_library
from runner.task_code.harness_client import OPENS_MODELS

HARNESS = "main"


def opens_models(path: Path) -> bool:
    return "from runner.checks.model_files import" in path.read_text("utf-8")


def test_every_module_that_opens_models_is_recognised_by_its_name() -> None:
    inside = {HARNESS, "loader_parent", "loader_process"}
    names = {path.stem for path in check_library() if opens_models(path)} - inside | {"models"}
    assert "predictions" in names
    assert [name for name in names if not OPENS_MODELS.search(f"import {name}, x")] == []
