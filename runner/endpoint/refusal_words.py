"""The table of refusals: the words by which endpoints say each thing, and what we make of it.

To teach the site another server's words, add a phrase to its row. A phrase is found in any case
anywhere in the message or its codes; " * " in it stands for at most forty characters, any blanks
are one, and an apostrophe is straight. Rows are tried from the top: the first that fits decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

MANY_TRIES, FEW_TRIES, ONE_TRY = 6, 3, 1
GAP = r".{0,40}?"
MOST_CHARS = 5_000  # of a message that is searched


@dataclass(frozen=True)
class ErrorKind:
    """One kind of error. In `what` and `next_step`, {names} are filled in."""

    code: str
    what: str
    next_step: str
    tries: int  # how often asking is worth while


@dataclass(frozen=True)
class RefusalRow(ErrorKind):
    """One kind of refusal, and the words that tell it."""

    phrases: tuple[str, ...]
    statuses: frozenset[int]  # 500 stands for all from there on
    unless: tuple[str, ...] = ()  # what it says then is something else

    def fits(self, status: int, text: str) -> bool:
        if min(status, 500) not in self.statuses:
            return False
        return bool(self.pattern.search(text)) and not (self.unless and self.exception.search(text))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return any_of(self.phrases)

    @cached_property
    def exception(self) -> re.Pattern[str]:
        return any_of(self.unless)


def any_of(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of bounded gaps: linear in the text, which is bounded and of one line."""
    parts = (GAP.join(re.escape(words) for words in phrase.split(" * ")) for phrase in phrases)
    return re.compile("|".join(parts), re.IGNORECASE)


def statuses(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


CONTEXT_FULL = "endpoint_context_full"

NO_QUOTA = "endpoint_no_quota"

# A parameter's name is no word about the conversation, the account or the key.
OF_A_PARAMETER = (
    "unknown parameter",
    "unrecognized request argument",
    "unsupported parameter",
    "unsupported_parameter",
    "invalid_type",
)

ROWS = (
    RefusalRow(
        NO_QUOTA,
        "The endpoint's account has no quota left ({status}){said}.",
        "Top the account up or use another key.",
        ONE_TRY,
        (
            "insufficient_quota",
            "exceeded your current quota",
            "insufficient balance",
            "insufficient credit",
            "billing",
            "requires more credits",
            "included credits",
            "any credits yet",
            "credits expired",
            "credit limit",
            "credit balance",
            "credit card on file",
            "payment method",
            "account balance",
            "balance is insufficient",
            "not enough balance",
            "not_enough_balance",
            "overdue balance",
            "arrearage",
            "insufficient_funds",
            "insufficient_user_quota",
            "quota is not enough",
            "call volume quota",
            "free tier of the model has been exhausted",
            "daily free allocation",
            "spending limit",
            "spend limit",
            "key limit exceeded",
            "api usage limits",
            "budget_exceeded",
            "budget has been exceeded",
            "over budget",
            "set inference limit",
            "weekly usage limit",
            "monthly usage limit",
            "余额不足",
            "额度不足",
            "额度已用尽",
            "欠费",
        ),
        statuses(400, 402, 403, 412, 429),
        unless=("rate limit", "rate_limit", "per min", "try again in", "retry in", *OF_A_PARAMETER),
    ),
    RefusalRow(
        "endpoint_rate_limited",
        "The endpoint limits the rate of requests ({status}){asked}.",
        "Lower the concurrency, or try again later.",
        MANY_TRIES,
        (
            "rate_limit",
            "rate limit",
            "ratelimit",
            "too many requests",
            "tokens per minute",
            "requests per minute",
            "throttlingexception",
            "requestlimitexceeded",
            "frequency limit",
        ),
        statuses(400, 403, 413, 422, 500),
    ),
    RefusalRow(
        "endpoint_content_filter",
        "The endpoint's content filter refused the conversation ({status}){said}.",
        "Switch the filter off for this model, or use an endpoint without one.",
        ONE_TRY,
        (
            "content_filter",
            "content filter",
            "content_policy",
            "content policy",
            "content management policy",
            "responsibleaipolicyviolation",
            "data_inspection_failed",
            "datainspectionfailed",
            "inappropriate content",
            "flagged as potentially violating",
            "moderation",
            "contentpolicyviolation",
            "prohibited_content",
            "blocked due to",
            "blocked by guardrail",
            "guardrail checks",
            "guardrail_intervened",
            "violates usage guidelines",
            "safety_check",
            "was flagged for",
            "considered high risk",
            "content exists risk",
            "sensitive information",
            "safety system",
            "sensitivecontent",
            "sensitive content",
            "safety violations",
            "limited access to this content",
            "敏感内容",
        ),
        statuses(400, 403, 422, 446, 500),
        unless=OF_A_PARAMETER,
    ),
    RefusalRow(
        CONTEXT_FULL,
        "The conversation is longer than the model can read ({status}){said}.",
        "Raise the model's context length or lower the tokens per reply.",
        ONE_TRY,
        (
            "context_length",
            "context length",
            "context_window",
            "context window",
            "contextwindow",
            "context_size",
            "context size",
            "maximum context",
            "context limit",
            "context * exceed",
            "exceed * context",
            "context shift is disabled",
            "prompt * too long",
            "prompt * too large",
            "input * too long",
            "input * too large",
            "request * too long * tokens",
            "conversation * too long",
            "too many tokens",
            "too many input tokens",
            "max_model_len",
            "maximum prompt length",
            "maximum input length",
            "max input length",
            "range of input length",
            "input token count * exceeds",
            "input tokens exceed",
            "exceeds the maximum number of tokens",
            "exceeds the maximum allowed number of input tokens",
            "`inputs` * must",
            "`inputs` tokens + `max_new_tokens` must be",
            "reduce the length of the messages",
            "request too large * tokens",
            "tokens_limit_reached",
            "max size: * tokens",
            "max_seq_len",
            "longer than the session length",
            "longer than the maximum model length",
            "exceed * model's token limit",
            "input length * exceeds the maximum",
            "prompt length * exceeds",
            "input token count * only supports",
            "number of input tokens * not greater than",
            "number of input tokens * cannot exceed",
            "token count * cannot exceed",
            "prompt token count * exceeds the limit",
            "max_prompt_tokens_exceeded",
            "prompt tokens: * exceeds",
            "prompt exceeds max length",
            "message token length exceed",
            "should not exceed max_num_tokens",
            "exceeded model token limit",
            "exceeds the token limit",
            "exceed max message tokens",
            "max tokens of * exceeded",
            "max input characters",
            "超长",
            "token数量超过上限",
        ),
        statuses(400, 413, 422, 500),
        unless=(
            "context deadline exceeded",
            "context canceled",
            "string too long",
            "max_tokens is too large",
            "max_completion_tokens is too large",
            "`max_tokens` must be less than or equal",
            *OF_A_PARAMETER,
        ),
    ),
    RefusalRow(
        "endpoint_body_too_large",
        "The endpoint refused a request of this size ({status}){said}.",
        "Raise the size limit of the server, or of the proxy in front of it.",
        ONE_TRY,
        (
            "body too large",
            "body is too large",
            "entity too large",
            "request too long",
            "payload size exceeds",
            "request size limit",
            "payload too large",
            "content too large",
            "request_too_large",
            "body size limit",
            "body exceeded the limit",
            "exceeds the maximum size",
            "length limit exceeded",
        ),
        statuses(400, 413, 422, 500),
    ),
    RefusalRow(
        "endpoint_forbidden",
        "The endpoint does not allow this ({status}){said}.",
        "Check what the key and its account may use.",
        ONE_TRY,
        (
            "matching your data policy",
            "no allowed providers are available",
            "location is not supported",
        ),
        statuses(400, 404),
    ),
    RefusalRow(
        "endpoint_unauthorised",
        "The endpoint {key} ({status}).",
        "Give a key that is valid for this endpoint.",
        ONE_TRY,
        (
            "invalid_api_key",
            "invalid api key",
            "incorrect api key",
            "api key not valid",
            "api_key_invalid",
            "api key is invalid",
            "api key required",
            "api key is required",
            "no api key",
            "missing api key",
            "you didn't provide an api key",
            "authentication_error",
            "authentication failed",
            "invalid token",
            "invalid bearer token",
            "token seems invalid",
            "token expired",
            "api key expired",
            "api key was reported as leaked",
            "api key has been blocked",
            "invalid apikey",
            "invalid api-key",
            "wrong api key",
            "invalidapikey",
            "authentication error",
            "auth_error",
            "authorization failed",
            "unregistered callers",
            "security token included in the request is",
            "无效的令牌",
        ),
        statuses(400, 403),
    ),
    RefusalRow(
        "endpoint_bad_request",
        "The endpoint supports no tools for this model ({status}){said}.",
        "Choose another action format, or switch tool calls on in the server.",
        ONE_TRY,
        (
            "does not support tools",
            "does not support tool use",
            "doesn't support tools",
            "doesn't support tool use",
            "no endpoints found that support tool use",
            "tool choice requires",
            "tools param requires",
        ),
        statuses(400, 404, 422, 500),
    ),
    RefusalRow(
        "endpoint_bad_request",
        "The endpoint refused the request ({status}){said}.",
        "Change or leave out the parameter that it names.",
        ONE_TRY,
        ("no endpoints found that can handle the requested parameters",),
        statuses(404),
    ),
    RefusalRow(
        "endpoint_unknown_model",
        "The endpoint does not know the model “{model}” ({status}).",
        "Give one of the names that {place}/models lists.",
        ONE_TRY,
        (
            "model_not_found",
            "model not found",
            "model_not_available",
            "model * not found",
            "model * does not exist",
            "model * doesn't exist",
            "model * not exist",
            "model * not available",
            "model * is not supported",
            "model * is not loaded",
            "model * isn't loaded",
            "model * not recognized",
            "model * is not a valid model",
            "not a valid model",
            "invalid model",
            "invalid_model",
            "invalid value for 'model'",
            "unknown model",
            "unsupported model",
            "no such model",
            "no model named",
            "could not find model",
            "unable to access model",
            "unable to access non-serverless model",
            "llm provider not provided",
            "model * was removed on",
            "graph definition with requested name is not found",
            "no models loaded",
            "no model is loaded",
            "no models are * loaded",
            "model * has not been loaded",
            "model disabled",
            "model * has been decommissioned",
            "model identifier is invalid",
            "unexpected model name",
            "not allowed to access model",
            "allowed now, your model",
            "could not find real model",
            "模型不存在",
            "model 不存在",
            "无可用渠道",
            "modelnotfound",
            "is not a local folder and is not a valid model identifier",
            "not in the list of served models",
            "no endpoints found for",
            "deployment * not exist",
            "there are no healthy deployments",
            "no deployments available for selected model",
        ),
        statuses(400, 401, 403, 404, 409, 422, 500),
        unless=("out of memory", "overloaded", "try again", "temporarily", "currently loading"),
    ),
)


BY_STATUS = {402: next(row for row in ROWS if row.code == NO_QUOTA)}  # whatever it says


def find_row(status: int, text: str) -> RefusalRow | None:
    """The first row that fits an error; None when no row does."""
    words = " ".join(text[:MOST_CHARS].split()).replace("’", "'")
    found = next((row for row in ROWS if row.fits(status, words)), None)
    return found or BY_STATUS.get(status)
