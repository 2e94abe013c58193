"""A private run as those see it who follow its link, and the owner's making of that link.

Addresses behind a link are those of the site with the token in front. The run's own pages answer
there as they do for its owner, without what is the owner's alone; all others lead to the site.
"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import ResolverMatch, get_script_prefix, resolve, set_script_prefix
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from leaderboard.models import Run
from leaderboard.sharing.private_link import LinkReader, find_run, make_link, take_back
from leaderboard.uploads.guests import is_shown_to
from leaderboard.views.access import own_run
from runner.contract import ProblemError

OF_RUN = frozenset(
    {
        "run",
        "run-progress",
        "run-file",
        "run-json",
        "run-manifest",
        "run-bundle",
        "replay",
        "attempt-json",
        "attempt-file",
        "step-json",
    }
)
OF_FILES = frozenset({"file", "frame"})  # which look for a run that the reader may see


@require_safe
def follow(request: HttpRequest, token: str, path: str = "") -> HttpResponseBase:
    """The page at `path` for who has the link; 404 once it is taken back."""
    run = find_run(token)
    if run is None or (run.entry.owner_id is None and not is_shown_to(request.session, run)):
        return protect(not_found(request))
    if not path:
        return protect(redirect(f"{request.path}runs/{run.pk}/"))
    try:
        match = resolve(f"/{path}")
        if run.is_public or not is_shown(match, run):
            return protect(leave(request, path))
        return protect(answer(request, match, LinkReader(run.pk), f"/shared/{token}/"))
    except Http404:
        return protect(not_found(request))


def is_shown(match: ResolverMatch, run: Run) -> bool:
    """True for the run's own pages and for files."""
    if match.url_name in OF_FILES:
        return True
    return match.url_name in OF_RUN and match.kwargs.get("run_id") == run.pk


def leave(request: HttpRequest, path: str) -> HttpResponse:
    """To the site's own page, which decides by itself who may see it."""
    if path.startswith(("/", "\\")):
        raise Http404("That leads to another site.")
    query = request.META.get("QUERY_STRING", "")
    return HttpResponseRedirect(f"/{path}{'?' if query else ''}{query}")


def answer(
    request: HttpRequest, match: ResolverMatch, reader: LinkReader, prefix: str
) -> HttpResponseBase:
    """The view's answer as the reader of one run gets it, with links that keep the prefix."""
    request.user = reader
    request.shared_run = reader.shared_run  # type: ignore[attr-defined]
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        return response
    finally:
        set_script_prefix(before)


def not_found(request: HttpRequest) -> HttpResponse:
    return render(request, "404.html", status=404)


def protect(response: HttpResponseBase) -> HttpResponseBase:
    """Keep the token to those who have it: no search engine, no referrer, no shared cache."""
    response["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, no-store"
    return response


@login_required
@require_POST
@never_cache
def make(request: HttpRequest, run_id: int) -> HttpResponse:
    """Make the link; its address is in this answer and never again."""
    run = own_run(request, run_id)
    try:
        token = make_link(run)
    except ProblemError as error:
        messages.error(request, error.problem.sentence)
        return redirect(run)
    address = request.build_absolute_uri(f"/shared/{token}/")
    return render(request, "run/link.html", {"run": run, "address": address})


@login_required
@require_POST
def unmake(request: HttpRequest, run_id: int) -> HttpResponse:
    run = own_run(request, run_id)
    if take_back(run.pk):
        messages.success(request, "The link was taken back and leads nowhere now.")
    return redirect(run)
