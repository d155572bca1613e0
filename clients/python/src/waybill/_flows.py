"""What the handles of both kinds of client do, as flows."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._calls import Answer, Config, Flow, Pause, call, error_of, is_transient, listen
from ._context import current_event
from ._generated import EnqueueResult, RefusedItem, TaskResult
from .errors import TaskFailed, TaskNotEnded

#: The service's bounds of one request: items, and bytes.
MOST_AT_ONCE, BODY = 1_000, 900_000
#: The wait of one request, which proxies do not take for a lost one, and how much longer it may take.
POLL, MARGIN = 30.0, 10.0


#: The rest before a stream that ended is opened again, and how long one is listened to before the state is read again.
_REOPEN, _LONGEST_STREAM = 1.0, 3_600.0


def submission_of(task: Mapping[str, Any]) -> dict[str, Any]:
    """It always has an id, so that the service recognises a repetition, and the context within which it is made."""
    context = current_event.get()
    return {"id": new_id(), **({} if context is None else {"context": context}), **task}


def enqueue_all(config: Config, tasks: Iterable[Mapping[str, Any]]) -> Flow[list[EnqueueResult | RefusedItem]]:
    """Tasks that name their queues, in requests of at most 1,000, in order. A refused task affects no other."""
    results: list[EnqueueResult | RefusedItem] = []
    items = [submission_of(task) for task in tasks]
    while items:
        count = chunk_of(items)
        answer = yield from call(config, "enqueueTasks", body={"tasks": items[:count]})
        results.extend(answer["results"])
        del items[:count]
    return results


def new_id() -> str:
    """Of a task, so that a repeated submission is the same task. A UUID of version 7 (RFC 9562), which grows with time."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    return _uuid(7, value)


def derived_id(namespace: str, name: str) -> str:
    """The id of a task from a name. A program that enqueues with derived ids and is started again finds its earlier tasks.

    `namespace` is the scope in which the name is unique, such as `invoices 2026`. A UUID of version 8 (RFC 9562, 5.8), which the service
    and the other clients derive in the same way.
    """
    if "\n" in namespace:
        raise ValueError("Expected a namespace of one line, but it has a line feed")
    value = int.from_bytes(hashlib.sha256(f"{namespace}\n{name}".encode()).digest()[:16], "big")
    return _uuid(8, value)


def _uuid(version: int, value: int) -> str:
    """Of the 128 bits, those of the version and of the variant replaced."""
    return str(uuid.UUID(int=value & ~(0xF << 76) & ~(0x3 << 62) | version << 76 | 0x2 << 62))


def next_event(config: Config, about: Mapping[str, Any], types: frozenset[str], end: float) -> Flow[str | None]:
    """The position of the next event of these types. None if the stream broke off, after an hour, or at `end`, by `time.monotonic`."""
    seconds = max(0.0, min(_LONGEST_STREAM, end - time.monotonic()))
    found = yield listen(config, "followEvents", about, types, seconds)
    if isinstance(found, str):
        return found
    if isinstance(found, Answer) and not is_transient(refusal := error_of(found)):
        raise refusal
    yield Pause(max(0.0, min(_REOPEN, end - time.monotonic())))
    return None


def chunk_of(items: Sequence[Any]) -> int:
    """How many of the first items fit one request, at least one: the service refuses one that is too large."""
    size = 0
    for count, item in enumerate(items[:MOST_AT_ONCE]):
        size += len(json.dumps(item).encode()) + 1
        if size > BODY and count > 0:
            return count
    return min(len(items), MOST_AT_ONCE)


def result_of(config: Config, task: str, timeout: float | None) -> Flow[Any]:
    """The task's result once it has succeeded. Each request waits in the service, which answers as soon as the task ends."""
    end = math.inf if timeout is None else time.monotonic() + timeout
    while True:
        wait = min(POLL, max(0.0, end - time.monotonic()))
        found: TaskResult = yield from call(
            config, "getTaskResult", path={"id": task}, query={"waitMs": math.ceil(wait * 1000)}, timeout=wait + MARGIN
        )
        if found["state"] == "succeeded":
            return found["result"]
        if found["ended"]:
            raise TaskFailed(found)
        if timeout is not None and time.monotonic() >= end:
            raise TaskNotEnded(found, timeout)
