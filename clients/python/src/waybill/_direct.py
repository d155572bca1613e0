"""Runs tasks that a program starts itself, with the same leases, heartbeats and reports as a worker."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import weakref
from collections.abc import Mapping
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _flows
from ._attempt import Attempt
from ._calls import Config, Flow, answer_to, call
from ._generated import ClaimedTask
from ._heartbeat import Heartbeat
from ._settings import program_name
from ._settlements import Settlements
from .errors import WaybillError
from .run import AsyncRun, Stopped
from .verdicts import Verdict

if TYPE_CHECKING:
    from ._attempt import Handler
    from .asynchronous import AsyncWaybill


def start_task(config: Config, queue: str, kind: str, arguments: list[Any]) -> Flow[ClaimedTask]:
    """Creates a task and claims it. If its answer repeats an earlier one, which was lost, the lease is extended, so that nobody else runs it.

    Raises `LEASE_LOST` if it is over.
    """
    name = program_name()
    about = {"queue": queue, "kind": kind, "payload": arguments, "worker": name, "server": name.rpartition(":")[0]}
    acting = config if config.actor != "anonymous" else replace(config, actor=name)
    answer = yield from answer_to(acting, "startTask", body=_flows.submission_of(about))
    task: ClaimedTask = answer.body["task"]
    if answer.headers.get("idempotent-replayed") == "true":
        lease = {"token": task["token"]}
        extended = yield from call(acting, "extendLease", path={"id": task["taskId"]}, body=lease)
        task["deadline"] = extended["deadline"]
    return task


class DirectRuns:
    """Of one client, within one event loop."""

    def __init__(self, waybill: AsyncWaybill) -> None:
        self._waybill = waybill
        self._parts: tuple[asyncio.AbstractEventLoop, Settlements, Heartbeat] | None = None
        self._active: set[Attempt] = set()

    async def finish(self, task: ClaimedTask, handler: Handler) -> Any:
        """What the function returns, once it is recorded. Raises what it raises, and `Stopped` if it had to stop."""
        loop, settlements, heartbeat = self._open()
        attempt = Attempt(task, self._waybill, settlements, heartbeat, lambda: False)
        attempt.is_awaited = True
        outcome: list[Verdict] = []

        async def observed(task: ClaimedTask, run: AsyncRun) -> Verdict:
            verdict: Verdict = await handler(task, run)
            outcome.append(verdict)
            return verdict

        self._active.add(attempt)
        heartbeat.add(attempt)
        try:
            await self._worked(attempt, observed)
        finally:
            heartbeat.remove(attempt)
            self._active.discard(attempt)
            TERMINATION.left()
        return _result_of(attempt, outcome)

    async def _worked(self, attempt: Attempt, handler: Handler) -> None:
        """If its caller is cancelled, so is the run, and its end is recorded first."""
        working = asyncio.create_task(attempt.work(handler))
        try:
            await asyncio.shield(working)
        except asyncio.CancelledError:
            attempt.stop("shutdown")
            await working
            raise

    def stop(self) -> bool:
        """Tells the runs to stop, from any thread. False if there are none."""
        if self._parts is None or not self._active:
            return False
        for attempt in list(self._active):
            self._parts[0].call_soon_threadsafe(attempt.stop, "shutdown")
        return True

    @property
    def active(self) -> bool:
        return bool(self._active)

    def close(self) -> None:
        """What still runs is left to the expiry of its lease."""
        if self._parts is not None:
            self._parts[1].end()
            self._parts[2].end()
            self._parts = None

    def _open(self) -> tuple[asyncio.AbstractEventLoop, Settlements, Heartbeat]:
        if self._parts is None:
            self._parts = (asyncio.get_running_loop(), Settlements(self._waybill), Heartbeat(self._waybill))
            TERMINATION.add(self)
        return self._parts


def _result_of(attempt: Attempt, outcome: list[Verdict]) -> Any:
    if attempt.failure is not None:
        raise attempt.failure
    if outcome and outcome[0].settlement is not None and outcome[0].settlement["type"] == "succeed":
        return outcome[0].returned
    raise attempt.stopped or Stopped("lease-lost", attempt.task)


class _Termination:
    """SIGTERM cancels the runs of the process. It has its usual effect when they have ended."""

    def __init__(self) -> None:
        self._runs: weakref.WeakSet[DirectRuns] = weakref.WeakSet()
        self._before: Any = None
        self._installed = self._pending = False

    def add(self, runs: DirectRuns) -> None:
        self._runs.add(runs)

    def watch(self) -> None:
        """Call it in the main thread: Python allows it in no other."""
        if not self._installed and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGTERM, self._terminate)
            self._installed = True

    def left(self) -> None:
        """A run has ended, in any thread."""
        if self._pending and not any(runs.active for runs in self._runs):
            os.kill(os.getpid(), signal.SIGTERM)

    def _terminate(self, number: int, frame: FrameType | None) -> None:
        stopping = [runs for runs in list(self._runs) if runs.stop()]
        if callable(self._before):
            self._before(number, frame)
        elif stopping:
            self._pending = True
        elif self._before is not signal.SIG_IGN:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)


TERMINATION = _Termination()
