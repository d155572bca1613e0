"""One call of the API, without I/O: which requests to send and how long to pause, for a driver that does both."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from ._generated import OPERATIONS, Operation
from .errors import WaybillError, WaybillUnavailable

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A driver answers it with an `Answer`, or with `NoAnswer`."""

    method: str
    path: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Listen:
    """For an event of one of these types on a stream. A driver answers with its position, or None if the stream or the time ended."""

    path: str
    headers: Mapping[str, str]
    types: frozenset[str]
    seconds: float


class NoAnswer(Exception):
    """No answer arrived. Unless `sent`, the request certainly had no effect."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


#: Yields what to do, and gets what came of it.
Flow = Generator[Request | Pause | Listen, Any, T]


@dataclass(frozen=True)
class Retries:
    """How often and how long to retry a request. Delays double from `base` up to `cap` seconds, with full jitter."""

    attempts: int = 5
    deadline: float = 30.0
    base: float = 0.1
    cap: float = 5.0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"Expected attempts to be 1 or more, but it is {self.attempts}")


#: How long reads are asked to show the client's own commands: a model that stands still must not fail reads for ever.
REMEMBERED = 30.0


@dataclass
class OwnPosition:
    """The newest position of a client's own commands."""

    newest: int = -1
    at: float = 0.0

    def note(self, position: Any) -> None:
        if isinstance(position, str) and (self.get() is None or int(position) > self.newest):
            self.newest, self.at = int(position), time.monotonic()

    def get(self) -> str | None:
        return str(self.newest) if self.newest >= 0 and time.monotonic() - self.at < REMEMBERED else None


@dataclass(frozen=True)
class Config:
    actor: str
    api_key: str | None
    timeout: float
    retries: Retries
    own_position: OwnPosition | None = field(default_factory=OwnPosition)
    traceparent: Callable[[], str | None] = lambda: None


#: The service answers 408 if a request does not arrive in time, a proxy 502 and 504 if it loses the connection.
TRANSIENT = frozenset({408, 429, 502, 503, 504})
#: Last as long as tasks run, or would read as much again: no retry can wait for them.
LASTING = frozenset({"HOLDER_FULL", "READ_TOO_LONG"})


def is_transient(error: Exception) -> bool:
    """Whether to retry: there was no answer, or the answer was "not now"."""
    if isinstance(error, WaybillError):
        return error.status in TRANSIENT and error.code not in LASTING
    return isinstance(error, NoAnswer)


def is_not_done(error: Exception) -> bool:
    """Whether the request certainly had no effect. A 503 may follow a lost commit."""
    if isinstance(error, WaybillError):
        return error.status in (408, 429) or error.code == "CONTENTION"
    return isinstance(error, NoAnswer) and not error.sent


def backoff(base: float, cap: float, failures: int, error: Exception) -> float:
    """Seconds to wait after so many failures in a row, added to those that the service asked for."""
    asked = (error.retry_after or 0.0) if isinstance(error, WaybillError) else 0.0
    return asked + random.random() * min(cap, base * 2.0 ** min(failures - 1, 30))


def call(
    config: Config,
    operation: str,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, Any] | None = None,
    body: Any = None,
    idempotency_key: str | None = None,
    timeout: float | None = None,
    retries: Retries | None = None,
) -> Flow[Any]:
    """The body of the answer. Retries with the same idempotency key as long as the answer is "not now" or absent."""
    answer: Answer = yield from answer_to(
        config,
        operation,
        path=path,
        query=query,
        body=body,
        idempotency_key=idempotency_key,
        timeout=timeout,
        retries=retries,
    )
    return answer.body


def answer_to(
    config: Config,
    operation: str,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, Any] | None = None,
    body: Any = None,
    idempotency_key: str | None = None,
    timeout: float | None = None,
    retries: Retries | None = None,
) -> Flow[Answer]:
    """As `call`, with the headers."""
    about = _operation(operation)
    rules = retries or config.retries
    limit = timeout if timeout is not None else config.timeout
    headers = _headers(config, about, idempotency_key)
    address = _address(about.path, path or {}, _reflecting(config, about, query or {}))
    content = (
        json.dumps({} if body is None else body, ensure_ascii=False, allow_nan=False).encode()
        if about.method in ("POST", "PUT")
        else None
    )
    deadline = time.monotonic() + max(rules.deadline, limit)
    attempts, not_done = 0, True
    while True:
        attempts += 1
        try:
            left = deadline - time.monotonic()
            return _accepted(config, about, (yield Request(about.method, address, headers, content, min(limit, left))))
        except (WaybillError, NoAnswer) as error:
            if not is_transient(error):
                raise
            not_done = not_done and (about.method == "GET" or is_not_done(error))
            wait = backoff(rules.base, rules.cap, attempts, error)
            if attempts >= rules.attempts or time.monotonic() + wait >= deadline:
                raise WaybillUnavailable(operation, "not-done" if not_done else "unknown", attempts, error) from error
        yield Pause(wait)


def listen(config: Config, operation: str, query: Mapping[str, Any], types: frozenset[str], seconds: float) -> Listen:
    """For the next event of these types on a stream of the API."""
    about = _operation(operation)
    headers = {**_headers(config, about, None), "accept": "text/event-stream"}
    return Listen(_address(about.path, {}, query), headers, types, seconds)


def _operation(name: str) -> Operation:
    about = OPERATIONS.get(name)
    if about is None:
        raise ValueError(f"Expected an operation of the API, but there is none named '{name}'")
    return about


def _headers(config: Config, about: Operation, idempotency_key: str | None) -> dict[str, str]:
    key = idempotency_key or (str(uuid.uuid4()) if about.idempotency == "key" else None)
    traceparent = config.traceparent()
    return {
        "accept": "application/json, application/problem+json",
        "waybill-actor": config.actor,
        "x-request-id": str(uuid.uuid4()),
        **({"content-type": "application/json"} if about.method in ("POST", "PUT") else {}),
        **({"authorization": f"Bearer {config.api_key}"} if config.api_key else {}),
        **({"idempotency-key": key} if key else {}),
        **({"traceparent": traceparent} if traceparent else {}),
    }


def _reflecting(config: Config, about: Operation, query: Mapping[str, Any]) -> Mapping[str, Any]:
    own = config.own_position.get() if about.positioned and config.own_position else None
    return query if own is None or "asOf" in query else {"minPosition": own, **query}


def _address(route: str, path: Mapping[str, str], query: Mapping[str, Any]) -> str:
    for name, value in path.items():
        if not value:
            raise ValueError(f"Expected '{name}' to be non-empty text, but got {value!r}")
        route = route.replace(f"{{{name}}}", quote(value, safe=""))
    pairs = [(name, _in_query(each)) for name, value in query.items() for each in _many(value) if each is not None]
    return f"{route}?{urlencode(pairs)}" if pairs else route


def _many(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _in_query(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _accepted(config: Config, about: Operation, answer: Answer | NoAnswer) -> Answer:
    if isinstance(answer, NoAnswer):
        raise answer
    if answer.status >= 300:
        raise error_of(answer)
    if about.idempotency != "none" and config.own_position and isinstance(answer.body, dict):
        config.own_position.note(answer.body.get("position"))
    return answer


def error_of(answer: Answer) -> WaybillError:
    """An answer that is no problem comes from something between the client and the service."""
    body = answer.body
    if not (isinstance(body, dict) and "code" in body and "status" in body):
        title = f"HTTP status {answer.status}"
        body = {
            "type": "about:blank",
            "title": title,
            "status": answer.status,
            "code": f"HTTP_{answer.status}",
            "detail": title,
        }
    return WaybillError(body, _retry_after(answer.headers.get("retry-after")))  # type: ignore[arg-type]


def _retry_after(header: str | None) -> float | None:
    """Seconds, or an HTTP date (RFC 9110, 10.2.3)."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
