"""Price files: what is loaded, what is refused and in which words."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import ModelPrice, Run
from leaderboard.money import price_book
from leaderboard.money.price_files import BUNDLED, read_file, read_prices
from leaderboard.money.providers import provider_of, show_provider
from leaderboard.tests.support.rows import make_entry, make_run, make_suite
from runner.contract import ProblemError

TODAY = date(2026, 11, 23)
ROW = {"provider": "openai", "model": "gpt-4o", "prompt": "2.5", "completion": "10"}


def make_file(*rows: Any, **changes: Any) -> dict[str, Any]:
    head = {"currency": "USD", "per_tokens": 1_000_000, "from": "2026-11-22", "source": "a test"}
    return {**head, "prices": list(rows or (ROW,)), **changes}


def say_refusal(content: Any) -> str:
    with pytest.raises(ProblemError) as caught:
        read_prices(content, TODAY)
    return caught.value.problem.what


def test_bundled_prices_are_valid_and_name_their_source() -> None:
    rows = read_prices(read_file(BUNDLED), TODAY)
    assert len(rows) > 50
    assert all("LiteLLM 1.109.1" in row.source and "MIT" in row.source for row in rows)
    assert all(show_provider(row.provider) for row in rows)
    assert all(row.prompt > 0 and row.completion > 0 for row in rows)
    assert all(row.cached is None or row.cached < row.prompt for row in rows)
    assert "MIT License" in BUNDLED.with_name("prices-LICENSE.txt").read_text("utf-8")


def test_bad_price_files_are_refused_in_clear_words(subtests: pytest.Subtests) -> None:
    for content, words in [
        ([], "has no list “prices”"),
        (make_file(currency="DOGE"), "The currency “DOGE” is unknown here"),
        (make_file({**ROW, "currency": "EUR"}), "the currency “EUR” is unknown"),
        (make_file(per_tokens=1000), "per million tokens"),
        (make_file({**ROW, "from": "2026-11-24"}), "2026-11-24, which is in the future"),
        (make_file({**ROW, "from": "yesterday"}), "“yesterday” is not a date"),
        (make_file({**ROW, "from": 7}), "“7” is not a date"),
        (make_file({**ROW, "prompt": "-1"}), "prompt is -1. A price cannot be negative."),
        (make_file({**ROW, "cached": -0.5}), "has no number for cached"),
        (make_file({**ROW, "prompt": "1e-9"}), "prompt is 1E-9. The least price kept is 0.000001"),
        (make_file({**ROW, "prompt": "NaN"}), "which is not a number"),
        (make_file({**ROW, "prompt": "1e99"}), "dollars per million tokens"),
        (make_file({**ROW, "prompt": None}), "has no number for prompt"),
        (make_file({**ROW, "prompt": True}), "has no number for prompt"),
        (make_file({**ROW, "model": ""}), "has no model"),
        (make_file({**ROW, "model": "m" * 301}), "longer than 300"),
        (make_file({**ROW, "price": 1}), "unknown field “price”"),
        (make_file("gpt"), "Price 1 is not an object"),
        (make_file(ROW, ROW), "two prices from 2026-11-22"),
        (make_file(source=None), "has no source"),
    ]:
        with subtests.test(content=content, words=words):
            assert words in say_refusal(content)


@pytest.mark.django_db
def test_refused_file_loads_nothing_and_exits_with_words(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(make_file(ROW, {**ROW, "model": "x", "completion": "-3"})))
    with pytest.raises(CommandError, match="cannot be negative"):
        call_command("load_prices", path)
    path.write_text("{")
    with pytest.raises(CommandError, match="is not JSON"):
        call_command("load_prices", path)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("load_prices", tmp_path / "absent.json")
    assert not ModelPrice.objects.exists()


@pytest.mark.django_db
def test_file_adds_corrects_and_leaves_equal_rows(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(make_file(ROW, {**ROW, "model": "gpt-5"})))
    assert load(path) == "2 prices added, 0 corrected, 0 were there\n"
    assert load(path) == "0 prices added, 0 corrected, 2 were there\n"
    path.write_text(json.dumps(make_file({**ROW, "prompt": 3.25}, {**ROW, "from": "2026-11-23"})))
    assert load(path) == "1 prices added, 1 corrected, 0 were there\n"
    known = ModelPrice.objects.filter(model="gpt-4o").order_by("valid_from")
    assert [(str(p.valid_from), p.prompt) for p in known] == [
        ("2026-11-22", Decimal("3.25")),
        ("2026-11-23", Decimal("2.5")),
    ]


def load(*arguments: Any, **options: Any) -> str:
    out = StringIO()
    call_command("load_prices", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.django_db
def test_bundled_prices_leave_a_maintainers_correction() -> None:
    assert " added, 0 corrected" in load()
    ModelPrice.objects.filter(model="gpt-4o").update(prompt=99)
    assert load().startswith("0 prices added, 0 corrected")
    assert ModelPrice.objects.get(model="gpt-4o").prompt == 99


@pytest.mark.django_db
def test_litellm_table_gives_the_models_of_the_book_and_of_runs(tmp_path: Path) -> None:
    price_book.store(read_prices(make_file(), TODAY))
    run = make_run(make_suite(), make_entry("Oss"))
    Run.objects.filter(pk=run.pk).update(provider="groq")
    run.entry.model_name = "openai/gpt-oss-20b"
    run.entry.save()
    cost = {"input_cost_per_token": 7.5e-08, "output_cost_per_token": 3e-07}
    table = {
        "gpt-4o": {"litellm_provider": "openai", **cost, "cache_read_input_token_cost": 3.75e-08},
        "groq/openai/gpt-oss-20b": {"litellm_provider": "groq", **cost},
        "gpt-5": {"litellm_provider": "openai", **cost},  # nobody asks for it
        "sample_spec": "words",
    }
    path = tmp_path / "table.json"
    path.write_text(json.dumps(table))
    with pytest.raises(CommandError, match="no date of its own"):
        load(path)
    said = load(path, date="2026-11-20", source="LiteLLM 9")
    assert said == "2 prices added, 0 corrected, 0 were there\n"
    oss = ModelPrice.objects.get(provider="groq")
    assert (oss.model, oss.prompt, oss.cached) == ("openai/gpt-oss-20b", Decimal("0.075"), None)
    assert ModelPrice.objects.get(model="gpt-4o", source="LiteLLM 9").cached == Decimal("0.0375")


def test_provider_is_known_by_its_whole_host(subtests: pytest.Subtests) -> None:
    for address, provider in [
        ("https://api.openai.com/v1", "openai"),
        ("https://OpenRouter.ai/api/v1", "openrouter"),
        ("https://api.openai.com.evil.example/v1", "api.openai.com.evil.example"),
        ("https://llm.example.org:8443/v1", "llm.example.org"),
        ("https://[::1", ""),
        ("", ""),
    ]:
        with subtests.test(address=address, provider=provider):
            assert provider_of(address) == provider


def test_unknown_providers_host_is_not_shown() -> None:
    assert show_provider("llm.example.org") == ""
    assert show_provider("openai") == "OpenAI"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"valid_from": "2999-01-01"}, "is in the future"),
        ({"prompt": "-1"}, "A price cannot be negative."),
        ({"source": ""}, "This field is required."),
    ],
)
def test_admin_refuses_impossible_prices(
    admin_client: Client, changes: dict[str, str], words: str
) -> None:
    form = {**ROW, "valid_from": "2026-11-20", "source": "a page", **changes}
    answer = admin_client.post("/admin/leaderboard/modelprice/add/", form)
    assert words in answer.content.decode()
    assert not ModelPrice.objects.exists()
