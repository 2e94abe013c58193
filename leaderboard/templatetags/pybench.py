"""Template tags: numbers in words, drawings, and a model's text made safe."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django import template
from django.core.exceptions import SuspiciousOperation
from django.template import Context
from django.template.defaultfilters import stringfilter
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from leaderboard.board.columns import show_size_b
from leaderboard.board.rows import BoardRow, Cell
from leaderboard.charts import inline_svg
from leaderboard.models import Attempt, Entry, Run
from leaderboard.rendering import ansi, budget, highlighting, markdown, numbers, text
from leaderboard.rendering.budget import within_budget
from leaderboard.scoring.repeats import Estimate
from leaderboard.storage.run_environment import list_models
from runner.run_figures import LEAST_TASKS
from runner.suite.canary import CANARY

register = template.Library()

register.simple_tag(lambda: CANARY, name="canary")
register.filter("percent", numbers.show_percent)
register.filter("whole_percent", numbers.show_whole_percent)
register.filter("passed_of", numbers.show_passed)
register.filter("points", numbers.show_points)
register.filter("mean", numbers.show_mean)
register.filter("duration", numbers.show_duration)
register.filter("about", numbers.show_rough_duration)
register.filter("count", numbers.show_count)
register.filter("size", numbers.show_size)
register.filter("money", numbers.show_money)

in_lines = highlighting.show_uncoloured
register.filter("ansi", within_budget(ansi.show_ansi, budget.price_of_ansi))
register.filter("python", within_budget(highlighting.show_python, budget.price_of_source, in_lines))
register.filter(
    "json_source", within_budget(highlighting.show_json, budget.price_of_source, in_lines)
)
register.filter(
    "markdown",
    within_budget(markdown.show_markdown, budget.price_of_markdown, markdown.show_unformatted),
)
register.filter("plain", within_budget(text.show_plain, budget.price_of_plain))
register.filter("without_invisible", text.strip_invisible)
register.filter("page_title", stringfilter(text.title_page), is_safe=True)
register.filter("words", text.in_words)
register.filter("sentence_case", stringfilter(text.in_sentence_case), is_safe=True)

register.simple_tag(inline_svg.draw_glyph, name="glyph")
register.simple_tag(inline_svg.draw_whisker, name="whisker")
register.simple_tag(inline_svg.draw_gap, name="gap")
register.simple_tag(inline_svg.draw_shares, name="shares")


@register.simple_tag
def cell_bar(cell: Cell) -> SafeString:
    return inline_svg.draw_bar(cell.position, cell.rate or 0.0)


@register.simple_tag
def least_tasks() -> int:
    return LEAST_TASKS


@register.filter
def are_few(tasks: int) -> bool:
    """True of too few tasks to say anything of chance."""
    return tasks < LEAST_TASKS


@register.simple_tag
def row_whisker(row: BoardRow | Cell | Estimate) -> SafeString:
    if row.low is None or row.high is None:
        return SafeString("")
    return inline_svg.draw_whisker(row.rate or 0.0, row.low, row.high)


@register.filter
def size_words(entry: Entry) -> str:
    """Number of parameters, as in "70B"."""
    return show_size_b(entry.parameters_b)


@register.filter
def all_tokens(attempt: Attempt) -> int | None:
    """Prompt and completion together; unknown when either is."""
    return numbers.add_tokens(attempt.prompt_tokens, attempt.completion_tokens)


@register.filter
def models_that_replied(run: Run) -> list[str]:
    return list_models(run.environment)


@register.filter
def without_verdict(sentence: str) -> str:
    """A stored sentence without the "Passed:" or "Failed:" that the page draws itself."""
    return re.sub(r"^(Passed|Failed):\s*", "", sentence)


@register.filter
def breakable(name: str) -> SafeString:
    """An exception's name, which may break before each capital."""
    return mark_safe(re.sub(r"(?<=[a-z])(?=[A-Z])", "<wbr>", text.show_plain(name)))


@register.filter(is_safe=True)
def whole_options(text: str) -> SafeString:
    """A text in which no option of a command, such as --base-url, breaks at its hyphens."""
    span = r'<span class="nowrap">\g<0></span>'
    return mark_safe(re.sub(r"--[a-z][\w-]{1,60}", span, conditional_escape(text)))


@register.filter
def listed_at(lists: Mapping[int, Sequence[object]] | None, key: int) -> Sequence[object]:
    """The list under `key`; an empty one where there is none."""
    return lists.get(key, ()) if lists else ()


@register.simple_tag(takes_context=True)
def page_address(context: Context) -> str:
    """Absolute address of the page without its query; "" where no request is at hand or its host
    is not ours."""
    request = context.get("request")
    try:
        return str(request.build_absolute_uri(request.path)) if request else ""
    except SuspiciousOperation:
        return ""


@register.simple_tag(takes_context=True)
def absolute(context: Context, path: str) -> str:
    """Absolute form of an address of this site; "" as for `page_address`."""
    request = context.get("request")
    try:
        return str(request.build_absolute_uri(path)) if request else ""
    except SuspiciousOperation:
        return ""


@register.simple_tag(takes_context=True)
def step_record(context: Context, index: int) -> str:
    """Address of everything that is stored of a step of this try, as JSON."""
    attempt = context["attempt"]
    address = reverse("step-json", args=[attempt.run_id, attempt.task.key, index])
    asked = {"attempt": attempt.number, "try": context["try_number"]}
    return f"{address}?{urlencode(asked)}"


@register.simple_tag(takes_context=True)
def step_address(context: Context, index: int) -> str:
    """Address of a step of this try: on this page, or in another window of its steps."""
    window = context.get("drawn") or context["window"]
    if window.first <= index <= window.last:
        return f"#step-{index}"
    asked = {"attempt": context["attempt"].number, "try": context["try_number"], "from": index}
    return f"?{urlencode(asked)}#step-{index}"
