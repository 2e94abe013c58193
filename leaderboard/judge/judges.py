"""Registration of judges: pinned to model, prompt and parameters, never changed afterwards."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from leaderboard.models import Judge
from leaderboard.storage import encryption
from leaderboard.submissions.endpoint_policy import is_scripted_address
from runner.contract import ProblemError, refusal
from runner.judge.profile import JudgeForm, JudgeProfile

SCRIPTED_NAME = "Scripted judge"
SCRIPTED_MODEL = "judge"
MAX_MODEL_CHARS, MAX_URL_CHARS = 300, 500


@transaction.atomic
def register_judge(profile: JudgeProfile, *, name: str, base_url: str, api_key: str = "") -> Judge:
    """The judge with this profile and name, at `base_url` with this key from now on.

    Raises ProblemError for a name whose judge has another profile: verdicts of two are never
    mixed.
    """
    slug = slugify(name)[:60]
    if not slug:
        raise refusal("bad_judge_name", "The judge's name has no letter.", "Give it a name.")
    if not base_url.startswith(("http://", "https://")):
        raise refusal(
            "bad_base_url",
            f"“{base_url[:200]}” is not the address of an endpoint.",
            "Give one that starts with http:// or https://, such as http://127.0.0.1:8000/v1.",
        )
    if len(profile.model) > MAX_MODEL_CHARS or len(base_url) > MAX_URL_CHARS:
        raise refusal(
            "judge_too_long",
            f"A model's name has at most {MAX_MODEL_CHARS} characters, an address {MAX_URL_CHARS}.",
            "Give shorter ones.",
        )
    is_scripted = is_scripted_address(base_url)
    judge = Judge.objects.select_for_update().filter(slug=slug).first()
    if judge and (judge.digest, judge.is_scripted) != (profile.digest, is_scripted):
        raise refusal(
            "judge_is_pinned",
            f"The judge “{judge.name}” is pinned to another model, prompt or setting.",
            "Register this one under another name.",
        )
    judge = judge or Judge(
        slug=slug,
        name=name[:120],
        model_name=profile.model,
        form=profile.form,
        takes_images=profile.takes_images,
        temperature=profile.temperature,
        max_tokens=profile.max_tokens,
        prompt_version=profile.prompt_version,
        prompt_digest=profile.prompt_digest,
        digest=profile.digest,
        is_scripted=is_scripted,
    )
    judge.base_url, judge.encrypted_key = base_url, encryption.encrypt(api_key)
    judge.save()
    return judge


def register_scripted(port: int | None = None) -> Judge:
    """The site's own judge by fixed rules, at the scripted endpoint."""
    base_url = f"http://127.0.0.1:{port or settings.SCRIPTED_PORT}/v1"
    profile = JudgeProfile(SCRIPTED_MODEL)
    judge = Judge.objects.filter(slug=slugify(SCRIPTED_NAME), is_scripted=True).first()
    if judge and judge.digest == profile.digest:
        Judge.objects.filter(pk=judge.pk).update(base_url=base_url)
        judge.base_url = base_url
        return judge
    name = SCRIPTED_NAME if judge is None else f"{SCRIPTED_NAME} {profile.digest[:6]}"
    return register_judge(profile, name=name, base_url=base_url)


def profile_of(judge: Judge) -> JudgeProfile:
    """The profile of a row. Raises ProblemError if the site's prompt is another one by now."""
    profile = JudgeProfile(
        model=judge.model_name,
        form=JudgeForm(judge.form),
        takes_images=judge.takes_images,
        temperature=judge.temperature,
        max_tokens=judge.max_tokens,
    )
    if profile.digest != judge.digest:
        raise outdated(judge)
    return profile


def outdated(judge: Judge) -> ProblemError:
    return refusal(
        "judge_is_outdated",
        f"The judge “{judge.name}” was registered with an older prompt.",
        "Register it again under another name: its verdicts are another column.",
    )
