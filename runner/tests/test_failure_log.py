"""A duty's last line: logged with its traceback, survived, and nothing else is."""

from __future__ import annotations

import asyncio
import logging

import pytest

from runner.failure_log import logged

log = logging.getLogger(__name__)


def test_an_exception_is_logged_with_its_traceback_and_what_follows_is_done(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = []
    for row in ("1", "odd", "3"):
        with logged(log, "run=%s not looked at", 7):
            done.append(int(row))
    assert done == [1, 3]
    [record] = caplog.records
    assert record.getMessage() == "run=7 not looked at"
    assert record.exc_info
    assert isinstance(record.exc_info[1], ValueError)


@pytest.mark.parametrize("end", [asyncio.CancelledError, KeyboardInterrupt, SystemExit])
def test_an_end_that_was_asked_for_is_not_held_up(
    end: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(end), logged(log, "ended"):
        raise end
    assert not caplog.records
