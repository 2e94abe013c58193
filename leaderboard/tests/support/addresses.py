"""Addresses of the site, as its patterns say."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver


def all_patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from all_patterns(pattern, path)
        else:
            yield path, pattern
