"""Extends all held leases together, with one request per beat. Only the service decides that a lease is lost."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from ._attempt import Attempt
from ._calls import Retries, backoff
from ._flows import chunk_of
from .errors import WaybillError, WaybillUnavailable

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill

log = logging.getLogger("waybill.worker")

_ONCE = Retries(attempts=1)
#: Beats per lease, so that two may fail before the lease is in danger.
_BEATS = 3
#: How often the worker asks at least, so that a cancellation does not wait for the beat of a long lease.
_LONGEST = 5.0
#: How long progress and lines are collected before they are sent, and how long an answer may take that an outcome waits for.
_COLLECT, _ANSWER = 1.0, 5.0


class Heartbeat:
    def __init__(self, waybill: AsyncWaybill) -> None:
        self._waybill = waybill
        self._held: set[Attempt] = set()
        self._sending = asyncio.Lock()
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._failures = 0
        self.beating = asyncio.create_task(self._beat())

    def add(self, attempt: Attempt) -> None:
        self._held.add(attempt)
        self._woken.set()

    def remove(self, attempt: Attempt) -> None:
        self._held.discard(attempt)

    def changed(self) -> None:
        """A handler showed or said something. Called from any thread."""
        self._loop.call_soon_threadsafe(self._woken.set)

    async def flush(self, attempt: Attempt) -> None:
        """Returns once the service has answered the attempt's progress and lines, or gave no answer."""
        while attempt.reports.pending and attempt in self._held:
            try:
                await self._extend([attempt], _ANSWER)
            except (WaybillUnavailable, WaybillError) as error:
                log.warning("Expected to report the progress of %s, but: %s", attempt, error)
                return

    def end(self) -> None:
        self._held.clear()
        self.beating.cancel()

    async def _beat(self) -> None:
        beat = self._loop.time()
        while True:
            await self._rest(beat)
            try:
                await self._extend(list(self._held), self._interval())
                self._failures = 0
                beat = self._loop.time() + self._interval()
            except (WaybillUnavailable, WaybillError) as error:
                self._failures += 1
                cause = error.cause if isinstance(error, WaybillUnavailable) else error
                wait = backoff(self._interval() / 8, self._interval(), self._failures, cause)
                log.warning("Expected to extend leases, but: %s; trying again in %.1f s", error, wait)
                beat = self._loop.time() + wait

    async def _rest(self, beat: float) -> None:
        """Until the next beat is due, which comes sooner with a shorter lease, and with what handlers report."""
        while True:
            self._woken.clear()
            due = min(beat, self._loop.time() + self._interval()) if self._held else None
            if any(attempt.reports.pending for attempt in self._held):
                await asyncio.sleep(_COLLECT)
                return
            try:
                await asyncio.wait_for(self._woken.wait(), None if due is None else max(0.0, due - self._loop.time()))
            except TimeoutError:
                return
            if due is None:
                beat = self._loop.time() + self._interval()

    def _interval(self) -> float:
        return min([_LONGEST, *(attempt.lease_seconds / _BEATS for attempt in self._held)])

    async def _extend(self, attempts: list[Attempt], timeout: float) -> None:
        async with self._sending:
            held = [attempt for attempt in attempts if attempt in self._held]
            while held:
                items = [{**attempt.ref, **attempt.reports.next()} for attempt in held]
                count = chunk_of(items)
                await self._send(held[:count], items[:count], timeout)
                del held[:count]

    async def _send(self, attempts: list[Attempt], items: list[dict[str, Any]], timeout: float) -> None:
        try:
            answer = await self._waybill.call("extendLeases", body={"items": items}, timeout=timeout, retries=_ONCE)
        except (WaybillUnavailable, WaybillError):
            for attempt, item in zip(attempts, items):
                attempt.reports.pending = attempt.reports.pending or len(item) > 2
            raise
        for attempt, item, result in zip(attempts, items, answer["results"]):
            attempt.reports.answered(item)
            self._hear(attempt, result)

    def _hear(self, attempt: Attempt, result: Any) -> None:
        if result["kind"] == "lost":
            self.remove(attempt)
            attempt.lost()
        elif result["cancelRequested"]:
            attempt.stop("cancel")
