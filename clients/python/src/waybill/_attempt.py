"""One claimed task, from the start of its handler until the service has answered the report of its outcome."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

from . import verdicts
from ._generated import ClaimedTask, Settlement
from ._reports import Reports
from ._settlements import Settlements
from .errors import WaybillError, WaybillUnavailable
from .run import AsyncRun, Stopped, StopReason, stopped_verdict
from .verdicts import IllegalVerdict, Verdict

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill

log = logging.getLogger("waybill.worker")

#: What a worker runs. A coroutine function gets an `AsyncRun`, and a plain one, which runs in a thread, a `Run`.
Handler = Callable[[ClaimedTask, Any], Any]


class Beats(Protocol):
    """What an attempt needs of the heartbeat."""

    def changed(self) -> None:
        ...

    async def flush(self, attempt: Attempt) -> None:
        ...


class Attempt:
    """Keeps no lease alive by itself: the heartbeat does, and tells it what the service says."""

    def __init__(
        self,
        claimed: ClaimedTask,
        waybill: AsyncWaybill,
        settlements: Settlements,
        beats: Beats,
        winding_down: Callable[[], bool],
    ) -> None:
        self.task = claimed
        self.lease_seconds = claimed["leaseMs"] / 1000
        self.reports = Reports(beats.changed)
        self.ref = {"taskId": claimed["taskId"], "token": claimed["token"]}
        self.returned = False
        #: Whether its handler is told at once that the worker stops, and not only near the end of the grace time.
        self.stops_at_once = False
        #: Why no result is recorded: what the handler raised, or what became of its report.
        self.failure: BaseException | None = None
        #: Whether somebody gets it, so that the log need not have what the handler raised.
        self.is_awaited = False
        self._waybill = waybill
        self._settlements = settlements
        self._winding_down = winding_down
        self._beats = beats
        self._phase: Literal["running", "settling", "ended"] = "running"
        self._stopped: Stopped | None = None
        self._running: asyncio.Task[Any] | None = None
        self._unanswered: WaybillUnavailable | None = None

    async def work(self, handler: Handler) -> None:
        """Runs the handler and reports its outcome. Raises nothing; returns when the service has answered."""
        self.stops_at_once = getattr(handler, "stops_at_once", False)
        verdict = await self._outcome(handler)
        if self._phase == "ended" or verdict.settlement is None:
            return
        self._phase = "settling"
        await self._settle(verdict.settlement)
        self._phase = "ended"

    async def leave(self) -> None:
        """Reports that no handler began the task: it keeps its place in line."""
        self._phase = "settling"
        await self._settle({"type": "return", "unstarted": True})
        self._phase = "ended"

    def stop(self, reason: StopReason) -> None:
        """Asks the handler to stop. A handler that is a coroutine is cancelled; the first reason counts."""
        if self._stopped is not None:
            return
        self._stopped = Stopped(reason, self.task)
        if self._running is not None:
            self._running.cancel()

    def lost(self) -> None:
        """While the outcome is being reported, the lease may be lost because the report succeeded: its answer tells."""
        if self._phase != "running":
            return
        self._phase = "ended"
        log.warning("Expected to settle %s, but its lease is lost: the outcome of this attempt is dropped", self)
        self.stop("lease-lost")
        self.failure = self._stopped

    async def _outcome(self, handler: Handler) -> Verdict:
        run = AsyncRun(self.task, self.reports, lambda: self._reason, self._winding_down, self._tell, self._waybill)
        self._running = asyncio.create_task(self._call(handler, run))
        try:
            await asyncio.wait([self._running])
            return self._verdict_of(self._running)
        finally:
            self._running = None

    async def _call(self, handler: Handler, run: AsyncRun) -> _Ended:
        if self._stopped is not None:
            return _Ended(None, self._stopped)
        try:
            if is_coroutine(handler):
                return _Ended(await handler(self.task, run), None)
            return _Ended(await run.in_thread(handler, self.task), None)
        except (Stopped, SystemExit, KeyboardInterrupt, Exception) as error:
            return _Ended(None, error)

    def _verdict_of(self, ended: asyncio.Task[_Ended]) -> Verdict:
        if ended.cancelled():
            return stopped_verdict(self._stopped.reason) if self._stopped else Verdict({"type": "return"})
        value, error = ended.result().value, ended.result().error
        try:
            if error is None:
                return verdicts.verdict_of(value)
        except IllegalVerdict as illegal:
            error = illegal
        return self._failed(error)

    def _failed(self, error: BaseException) -> Verdict:
        if isinstance(error, Stopped):
            return stopped_verdict(error.reason)
        self.failure = error
        if error is self._unanswered:
            # The report may have ended the task, so a failure could only contradict it.
            self._phase = "ended"
            log.warning("Expected to settle %s, but: %s", self, error)
            return Verdict(None)
        if not self.is_awaited:
            log.warning("%s failed: %s", self, error, exc_info=error)
        return verdicts.failure_of(error)

    @property
    def stopped(self) -> Stopped | None:
        """Why the handler was told to stop."""
        return self._stopped

    @property
    def _reason(self) -> StopReason | None:
        return None if self._stopped is None else self._stopped.reason

    async def _tell(self, settlement: dict[str, Any]) -> Settlement:
        """Reports something before the handler ends. The report may itself end the attempt."""
        if self._phase == "ended":
            raise self._stopped or IllegalVerdict(f"Expected to report on {self}, but its attempt is over")
        try:
            told = await self._report(settlement)
        except WaybillUnavailable as error:
            self._unanswered = error
            raise
        except WaybillError as error:
            if error.code != "LEASE_LOST":
                raise
            self.lost()
            raise self._stopped or error from error
        self._follow(settlement, told)
        return told

    def _follow(self, settlement: dict[str, Any], told: Settlement) -> None:
        waits = settlement["type"] == "wait" and "waited" not in told
        if told["state"] != "running" or waits:
            self._phase = "ended"
        offered = (
            told["state"] == "pending" and settlement["type"] == "completeStep" and settlement["then"] == "continue"
        )
        if waits or offered:
            self._stopped = Stopped("waiting" if waits else "offered", self.task)
            raise self._stopped

    async def _report(self, settlement: dict[str, Any]) -> Settlement:
        """Progress and lines come first, because the report may end the lease under which they are accepted."""
        await self._beats.flush(self)
        return await self._settlements.settle({**self.ref, "verdict": settlement})

    async def _settle(self, settlement: dict[str, Any], refused: bool = False) -> None:
        try:
            await self._report(settlement)
            self.returned = settlement["type"] == "return"
        except WaybillUnavailable as error:
            # The service may have accepted it, and another outcome could only contradict it.
            self.failure = self.failure or error
            log.warning("Expected to settle %s, but: %s", self, error)
        except WaybillError as error:
            await self._refused(settlement, error, refused)

    async def _refused(self, settlement: dict[str, Any], error: WaybillError, again: bool) -> None:
        self.failure = self.failure or error
        log.warning("Expected to settle %s, but the service refuses: %s", self, error)
        # As a failure, so that the task need not wait for its lease to expire.
        if error.code != "LEASE_LOST" and not again:
            await self._settle(verdicts.failure_instead_of(settlement, error), refused=True)

    def __str__(self) -> str:
        return f"task '{self.task['taskId']}' of queue '{self.task['queue']}' (attempt {self.task['attempt']})"


class _Ended:
    """How a handler ended. A task of asyncio would end the event loop with some errors."""

    def __init__(self, value: Any, error: BaseException | None) -> None:
        self.value, self.error = value, error


def is_coroutine(handler: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))
