"""Quotas of uploads per account: files and bytes in 24 hours, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Sum

from leaderboard.accounts import quotas
from leaderboard.models import AccountUse, Import
from runner.contract import Fault, Problem, ProblemError

MB = 1 << 20


@dataclass(frozen=True)
class UploadQuota:
    """Uploads of an account in 24 hours, beside what it may send."""

    files: int
    most_files: int
    size_bytes: int
    most_bytes: int

    @property
    def files_left(self) -> int:
        return max(0, self.most_files - self.files)

    @property
    def bytes_left(self) -> int:
        return max(0, self.most_bytes - self.size_bytes)

    @property
    def sentence(self) -> str:
        return (
            f"{self.files_left} of {self.most_files} uploads and {self.bytes_left // MB:,} of "
            f"{self.most_bytes // MB:,} MiB left today."
        )


def most_bytes() -> int:
    """Size of the largest file that is taken."""
    return int(settings.UPLOAD_MB) * MB


def count_uploads(owner: AbstractBaseUser) -> UploadQuota:
    """Count what was sent in the last 24 hours, also what was refused or deleted since."""
    lately = quotas.counted(owner, AccountUse.Kind.UPLOAD)
    used = lately.aggregate(files=Count("pk"), size_bytes=Sum("size_bytes"))
    return UploadQuota(
        used["files"],
        settings.UPLOADS_PER_DAY,
        used["size_bytes"] or 0,
        settings.UPLOAD_MB_PER_DAY * MB,
    )


@transaction.atomic(durable=True)  # what is refused later stays counted
def use_upload(owner: AbstractBaseUser, size_bytes: int) -> AccountUse:
    """Count an upload before it is read. Raises ProblemError."""
    quotas.lock(owner)
    quota = count_uploads(owner)
    if not quota.files_left or size_bytes > quota.bytes_left:
        raise refuse(
            f"This would be more than an account may upload in 24 hours: {quota.sentence}",
            "Try again tomorrow, or send several trajectories as one archive.",
        )
    kept = Import.objects.filter(run__entry__owner_id=owner.pk)
    kept_bytes = kept.aggregate(n=Sum("blob__size_bytes"))["n"] or 0
    if kept_bytes + size_bytes > settings.UPLOAD_KEPT_MB * MB:
        raise refuse(
            f"An account keeps {settings.UPLOAD_KEPT_MB:,} MiB of uploads at most.",
            "Delete some of yours on the page of uploads first.",
        )
    return quotas.use(owner, AccountUse.Kind.UPLOAD, size_bytes)


def refuse(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "upload_quota_used_up", what, next_step))
