"""A worker's few threads for notices: what does not answer holds up one of them for seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol
from urllib.parse import urlsplit

from runner.endpoint.address_policy import AddressPolicy
from runner.failure_log import logged
from runner.webhooks.post import headers_of, now_s, post

log = logging.getLogger(__name__)

PLACES = 4  # notices under way at once, in one worker process


class Notices(Protocol):
    """The acts of `leaderboard.handoff.notices` that a courier needs."""

    def take_due(self, places: int, owners: Collection[int]) -> list[int]: ...

    def delivery_of(self, notice_id: int) -> Any: ...

    def mail(self, notice_id: int) -> None: ...

    def note_sent(self, notice_id: int) -> None: ...

    def note_failed(self, notice_id: int, said: str) -> None: ...

    def give_back(self, notice_id: int) -> None: ...

    def drop(self, notice_id: int) -> None: ...

    def close_connection(self) -> None: ...


class Courier:
    """Sends what is due, at most one notice of an account and one to a host at once."""

    def __init__(self, notices: Notices, policy: Callable[[], AddressPolicy]) -> None:
        self.notices = notices
        self.policy = policy
        self.pool = ThreadPoolExecutor(PLACES, thread_name_prefix="notices")
        self.lock = threading.Lock()
        self.owners: set[int] = set()
        self.hosts: set[str] = set()
        self.under_way = 0

    def round(self) -> int:
        """Take up as many notices as there are places; returns at once. How many it took."""
        with self.lock:
            taken = self.notices.take_due(PLACES - self.under_way, set(self.owners))
            return sum([self.begin(notice_id) for notice_id in taken])

    def begin(self, notice_id: int) -> bool:
        """Hand one notice to the pool, unless its host is being asked already."""
        delivery = self.notices.delivery_of(notice_id)
        if delivery is None:
            self.notices.drop(notice_id)
            return False
        host = urlsplit(delivery.url).netloc.lower()
        if host and host in self.hosts:
            self.notices.give_back(notice_id)
            return False
        self.owners.add(delivery.owner_id)
        if host:
            self.hosts.add(host)
        self.under_way += 1
        self.pool.submit(self.deliver, delivery, host)
        return True

    def deliver(self, delivery: Any, host: str) -> None:
        try:
            with logged(log, "notice=%s its outcome is unknown", delivery.notice_id):
                self.send(delivery)
        finally:
            with self.lock:
                self.owners.discard(delivery.owner_id)
                self.hosts.discard(host)
                self.under_way -= 1
            self.notices.close_connection()

    def send(self, delivery: Any) -> None:
        said = self.try_mail(delivery) if delivery.is_mail else self.try_post(delivery)
        if said:
            log.info("notice=%s not sent: %s", delivery.notice_id, said)
            self.notices.note_failed(delivery.notice_id, said)
        else:
            self.notices.note_sent(delivery.notice_id)

    def try_mail(self, delivery: Any) -> str:
        try:
            self.notices.mail(delivery.notice_id)
        except OSError as error:  # of the mail server, or on the way to it
            return f"The mail server failed: {type(error).__name__}."
        return ""

    def try_post(self, delivery: Any) -> str:
        headers = headers_of(
            delivery.secret, delivery.event, delivery.notice_id, delivery.body, now_s()
        )
        return post(delivery.url, headers, delivery.body, self.policy())
