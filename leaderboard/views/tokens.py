"""The page where a user makes and revokes tokens for the API."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard.accounts.tokens import make_token, revoke_token
from leaderboard.models import ApiToken
from leaderboard.views.access import user_of
from runner.contract import ProblemError


class TokenForm(forms.Form):
    """Name of a token."""

    name = forms.CharField(
        max_length=80, label="Name", help_text="For example, the machine that will use it."
    )


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """The user's tokens. A new one's text is in the answer that made it, and never again."""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _, text = make_token(user_of(request), form.cleaned_data["name"])
        except ProblemError as error:
            form.add_error(None, error.problem.sentence)
        else:
            return show(request, TokenForm(), text)
    return show(request, form, status=400 if form.errors else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    if not revoke_token(user_of(request), token_id):
        raise Http404("You have no such token.")
    messages.success(request, "The token was revoked and no longer works.")
    return redirect("tokens")


def show(request: HttpRequest, form: TokenForm, text: str = "", status: int = 200) -> HttpResponse:
    rows = ApiToken.objects.filter(user=user_of(request).pk)
    context = {"form": form, "tokens": rows, "text": text}
    return render(request, "account/tokens.html", context, status=status)
