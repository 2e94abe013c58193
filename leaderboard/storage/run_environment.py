"""Model names in an endpoint's replies: more than one name in a run is worth a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from runner.contract import BETWEEN_MODELS, MOST_MODELS, REPLIED


def list_models(environment: Mapping[str, object]) -> list[str]:
    """The names in the order in which they came."""
    return [name for name in str(environment.get(REPLIED, "")).split(BETWEEN_MODELS) if name]


def note_models(known: Mapping[str, str], result: Mapping[str, str]) -> dict[str, str]:
    """A run's environment with the models that replied to one more of its attempts."""
    names = list(dict.fromkeys([*list_models(known), *list_models(result)]))[:MOST_MODELS]
    return {**known, REPLIED: BETWEEN_MODELS.join(names)} if names else dict(known)
