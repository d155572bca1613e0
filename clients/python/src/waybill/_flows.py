"""What the handles of both kinds of client do, as flows."""

from __future__ import annotations

import json
import math
import secrets
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._calls import Config, Flow, call
from ._generated import EnqueueResult, RefusedItem, TaskResult
from .errors import TaskFailed, TaskNotEnded

#: The service's bounds of one request: items, and bytes.
MOST_AT_ONCE, BODY = 1_000, 900_000
#: The wait of one request, which proxies do not take for a lost one, and how much longer it may take.
POLL, MARGIN = 30.0, 10.0


def enqueue_all(
    config: Config, queue: str, tasks: Iterable[Mapping[str, Any]]
) -> Flow[list[EnqueueResult | RefusedItem]]:
    """In requests of at most 1,000 tasks, in order. A refused task affects no other."""
    results: list[EnqueueResult | RefusedItem] = []
    items = [{"id": new_id(), **task, "queue": queue} for task in tasks]
    while items:
        count = chunk_of(items)
        answer = yield from call(config, "enqueueTasks", body={"tasks": items[:count]})
        results.extend(answer["results"])
        del items[:count]
    return results


def new_id() -> str:
    """Of a task, so that a repeated submission is the same task. A UUID of version 7 (RFC 9562), which grows with time."""
    value = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    return str(uuid.UUID(int=value & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62))


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
