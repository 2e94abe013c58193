"""Providers of models by the hosts of their endpoints, as the price book names them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

MAX_PROVIDER_CHARS = 100

# Key in the price book → (words on a page, hosts of its endpoints).
PROVIDERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "anthropic": ("Anthropic", ("api.anthropic.com",)),
    "cerebras": ("Cerebras", ("api.cerebras.ai",)),
    "deepinfra": ("DeepInfra", ("api.deepinfra.com",)),
    "deepseek": ("DeepSeek", ("api.deepseek.com",)),
    "gemini": ("Google Gemini", ("generativelanguage.googleapis.com",)),
    "groq": ("Groq", ("api.groq.com",)),
    "mistral": ("Mistral", ("api.mistral.ai",)),
    "moonshot": ("Moonshot", ("api.moonshot.ai", "api.moonshot.cn")),
    "openai": ("OpenAI", ("api.openai.com",)),
    "openrouter": ("OpenRouter", ("openrouter.ai",)),
    "together_ai": ("Together AI", ("api.together.xyz", "api.together.ai")),
    "xai": ("xAI", ("api.x.ai",)),
    "zai": ("Z.ai", ("api.z.ai",)),
}
BY_HOST = {host: key for key, (_, hosts) in PROVIDERS.items() for host in hosts}


def provider_of(base_url: str) -> str:
    """Key of the provider at this address; the host itself for an unknown one."""
    try:
        host = (urlsplit(base_url).hostname or "").lower()
    except ValueError:
        return ""
    return BY_HOST.get(host, host)[:MAX_PROVIDER_CHARS]


def show_provider(key: str) -> str:
    """A known provider's name; "" for any other, whose host is the submitter's own business."""
    return PROVIDERS[key][0] if key in PROVIDERS else ""
