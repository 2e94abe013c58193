"""The extra body of a request: what is taken, and what is refused with a sentence."""

from __future__ import annotations

import pytest

from runner.contract import ProblemError
from runner.endpoint.extras import extra_body


def test_an_object_is_taken_as_it_is(subtests: pytest.Subtests) -> None:
    for text, found in [
        ("", {}),
        (" \n", {}),
        ("{}", {}),
        ('{"reasoning_effort": "low"}', {"reasoning_effort": "low"}),
        ('{"top_k": 20, "a.b-c": [1, {"x": null}]}', {"top_k": 20, "a.b-c": [1, {"x": None}]}),
        ('{"note": "你好 🙂"}', {"note": "你好 🙂"}),
    ]:
        with subtests.test(text=text, found=found):
            assert extra_body.read(text) == found
            assert extra_body.read(extra_body.dump(found)) == found


def test_what_cannot_be_merged_is_refused_with_a_sentence(subtests: pytest.Subtests) -> None:
    for text, said in [
        ("nonsense", "are not JSON (line 1, column 1"),
        ('{"a": 1,}', "are not JSON"),
        ("[1]", "not a JSON object"),
        ('"text"', "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": 1e999}', "no request can carry"),
        ('{"a": "\\ud800"}', "no request can carry"),
        ('{"a": 1, "a": 2}', "a name is given twice"),
        ('{"model": "other"}', "cannot set “model”"),
        ('{"messages": []}', "cannot set “messages”"),
        ('{"Stream": true}', "cannot set “Stream”: it is the field “stream”"),
        ('{"tools": []}', "cannot set “tools”"),
        ('{"n": 4}', "cannot set “n”"),
        ('{"api_key": "sk"}', "never shown"),
        ('{"": 1}', "is not a valid name of a request field"),
        ('{"a\\u0000b": 1}', "is not a valid name of a request field"),
        ('{"<script>": 1}', "is not a valid name of a request field"),
        ('{"a": ' + "[" * 7 + "]" * 7 + "}", "deeper than 6 levels"),
        ('{"a": ' + "[" * 1900 + "]" * 1900 + "}", "deeper than 6 levels"),
        ('{"a": "' + "x" * 4_000 + '"}', "longer than 4000 characters"),
        ("{" + ",".join(f'"f{i}": 1' for i in range(41)) + "}", "are 41 extra"),
    ]:
        with subtests.test(text=text, said=said):
            with pytest.raises(ProblemError) as refused:
                extra_body.read(text)
            assert said in refused.value.problem.what
            assert refused.value.problem.next_step


def test_objects_that_were_never_text_are_held_to_the_same() -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = [deep]
    values: list[object] = [{"a": deep}, {"a": float("nan")}, {"a": "y" * 5_000}, [], None]
    for value in (*values, {"stop": ["x"]}):
        with pytest.raises(ProblemError):
            extra_body.check(value)


def test_the_same_object_has_one_text_and_all_its_words_are_found() -> None:
    one = {"b": {"y": "two", "x": ["three"]}, "a": "one"}
    other = {"a": "one", "b": {"x": ["three"], "y": "two"}}
    assert extra_body.dump(one) == extra_body.dump(other)
    assert sorted(extra_body.texts_of(one)) == ["one", "three", "two"]
