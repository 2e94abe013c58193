"""The page where a user says how to hear of the end of runs."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from leaderboard.models import Notice
from leaderboard.notices.settings import find_wishes, is_mail_set_up, save_wishes
from leaderboard.views.access import user_of
from runner.contract import ProblemError
from runner.endpoint.address_policy import MAX_URL_CHARS

SHOWN = 20


class NoticesForm(forms.Form):
    """Addresses for notices."""

    webhook_url = forms.CharField(
        label="Webhook",
        required=False,
        max_length=MAX_URL_CHARS,
        help_text="A public https:// address. Another address gets another secret.",
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
    )
    wants_mail = forms.BooleanField(
        label="E-mail me", required=False, help_text="One e-mail for each run."
    )


@login_required
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """The choices. The secret of a new webhook is in the answer that made it, and never again."""
    wishes = find_wishes(user_of(request))
    if request.method != "POST":
        said = (
            {"webhook_url": wishes.webhook_url, "wants_mail": wishes.wants_mail} if wishes else {}
        )
        return show(request, NoticesForm(initial=said))
    form = NoticesForm(request.POST)
    if not form.is_valid():
        return show(request, form, status=422)
    site = request.build_absolute_uri("/").rstrip("/")
    try:
        secret = save_wishes(user_of(request), **form.cleaned_data, site=site)
    except ProblemError as error:
        form.add_error("webhook_url", error.problem.sentence)
        return show(request, form, status=422)
    if secret:
        return show(request, form, secret)
    messages.success(request, "Saved.")
    return redirect("notices")


def show(
    request: HttpRequest, form: NoticesForm, secret: str = "", status: int = 200
) -> HttpResponse:
    if not is_mail_set_up():
        del form.fields["wants_mail"]
    recent = Notice.objects.filter(owner_id=user_of(request).pk).select_related("run__entry")
    context = {"form": form, "secret": secret, "notices": recent[:SHOWN]}
    return render(request, "account/notices.html", context, status=status)
