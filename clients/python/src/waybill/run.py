"""One attempt, for its handler: ways to end it, to report from it, and to learn when to stop."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from . import verdicts
from ._generated import ClaimedTask, PrerequisiteResult, Settlement
from ._reports import LogLevel, Reports
from .errors import ErrorClass, WaitTimedOut
from .verdicts import IllegalVerdict, Verdict

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill

T = TypeVar("T")

#: `cancel`: somebody cancelled the task. `lease-lost`: another worker may have it. `shutdown`: the worker stops.
#: `waiting`: the task waits without a worker. `offered`: the next step waits for a worker.
StopReason = Literal["cancel", "lease-lost", "shutdown", "waiting", "offered"]

Tell = Callable[[dict[str, Any]], Awaitable[Settlement]]


#: Gets work to run in another thread than the event loop's.
Begin = Callable[[Callable[[], None]], None]


def in_new_thread(name: str) -> Begin:
    """Within the context of the caller."""
    context = contextvars.copy_context()

    def begin(work: Callable[[], None]) -> None:
        # A daemon, so that a handler that does not stop keeps no process alive: its lease expires.
        threading.Thread(target=context.run, args=(work,), name=name, daemon=True).start()

    return begin


class Stopped(BaseException):
    """The handler must stop: let it through. As `KeyboardInterrupt`, it is not caught by `except Exception`."""

    def __init__(self, reason: StopReason, task: ClaimedTask) -> None:
        super().__init__(f"The handler of task '{task['taskId']}' was asked to stop: {reason}")
        self.reason: StopReason = reason


def stopped_verdict(reason: StopReason) -> Verdict:
    """Confirms a cancellation, returns the task at a shutdown, and reports nothing otherwise."""
    settlements: dict[str, dict[str, Any]] = {"cancel": {"type": "confirmCancel"}, "shutdown": {"type": "return"}}
    return Verdict(settlements.get(reason))


class _Outcomes:
    """What both kinds of run know and return. Nothing here asks the service."""

    def __init__(
        self,
        task: ClaimedTask,
        reports: Reports,
        stop_reason: Callable[[], StopReason | None],
        winding_down: Callable[[], bool],
    ) -> None:
        self.task = task
        self.attempt = task["attempt"]
        #: The step to run; None for a task without steps.
        self.step = task["step"]
        #: Grows with every claim of any task. Pass it to whatever the handler writes to, and let that refuse lower tokens.
        self.fencing_token = task["token"].partition(".")[0]
        self._reports = reports
        self._stop_reason = stop_reason
        self._winding_down = winding_down

    @property
    def stop_reason(self) -> StopReason | None:
        """None while the handler may continue."""
        return self._stop_reason()

    @property
    def stopping(self) -> bool:
        """Whether the worker stops, or the handler must. While `stop_reason` is None, there is time to finish what has begun."""
        return self._winding_down() or self.stop_reason is not None

    def check(self) -> None:
        """Raises `Stopped` if the handler must stop. A handler in a thread calls it between parts of its work."""
        reason = self.stop_reason
        if reason is not None:
            raise Stopped(reason, self.task)

    def succeed(self, result: Any = None) -> Verdict:
        return verdicts.succeed(result)

    def no_change(self) -> Verdict:
        """Success: there was nothing to do."""
        return Verdict({"type": "succeed", "noChange": True})

    def fail(self, error_class: ErrorClass, message: str, *, final: bool = False, details: Any = None) -> Verdict:
        return verdicts.fail(error_class, message, final, details)

    def retry_later(self, seconds: float, message: str = "The worker asked to try again later") -> Verdict:
        """A `transient` failure. If the policy retries those, it waits this long."""
        return verdicts.retry_later(seconds, message)

    def postpone(self, seconds: float) -> Verdict:
        """Gives the task back for at least so long. No attempt is spent, and nothing has failed."""
        return Verdict({"type": "return", "afterMs": verdicts.milliseconds(seconds)})

    def cancelled(self) -> Verdict:
        """The handler stopped because it was told to."""
        reason = self.stop_reason
        if reason is None:
            raise IllegalVerdict(
                f"Expected a request to stop before run.cancelled() of task '{self.task['taskId']}', but there was none"
            )
        return stopped_verdict(reason)

    def done(
        self, result: Any = None, *, data: Mapping[str, Any] | None = None, priority: int | None = None
    ) -> Verdict:
        """The step of this run is done, with changes of the task's data. After the last step the task succeeds."""
        if self.step is None:
            raise IllegalVerdict(
                f"Expected run.done() in a step, but task '{self.task['taskId']}' has no steps: return the result instead"
            )
        return Verdict(
            {"type": "completeStep", "step": self.step, "then": "offer", **_recorded(result, data, priority)}
        )

    def progress(self, title: str, *, position: float, end: float, start: float = 0) -> None:
        """Shows how far the work is. Costs no request of its own: the worker sends it with a heartbeat."""
        self._reports.progress(title, start, end, position)

    def log(self, text: str, *, level: LogLevel = "info", fields: Mapping[str, Any] | None = None) -> None:
        """Adds a line to the log of the task, beside its history. Costs no request of its own."""
        self._reports.log(text, level, fields)


class AsyncRun(_Outcomes):
    """For a handler that is a coroutine. When it must stop, it is cancelled, as any task of asyncio."""

    def __init__(
        self,
        task: ClaimedTask,
        reports: Reports,
        stop_reason: Callable[[], StopReason | None],
        winding_down: Callable[[], bool],
        tell: Tell,
        waybill: AsyncWaybill,
    ) -> None:
        super().__init__(task, reports, stop_reason, winding_down)
        self._tell = tell
        #: The worker's own client.
        self.waybill = waybill
        self._asked: Counter[str | None] = Counter()

    def at(self, task: ClaimedTask, tell: Tell) -> AsyncRun:
        """The same attempt at another step, with reports of its own."""
        return AsyncRun(task, self._reports, self._stop_reason, self._winding_down, tell, self.waybill)

    async def in_thread(
        self, handler: Callable[[ClaimedTask, Any], Any], task: ClaimedTask, begin: Begin | None = None
    ) -> Any:
        """Runs a plain function in a thread of its own, or where `begin` runs it. Returns when it has ended, also if it must stop
        meanwhile."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[_Ended] = loop.create_future()
        work = partial(_end_with, loop, ended, partial(handler, task, Run(self, loop)))
        (begin or in_new_thread(f"waybill {task['taskId']}"))(work)
        try:
            return (await asyncio.shield(ended)).outcome()
        except asyncio.CancelledError:
            if ended.done() or self.stop_reason is None:
                raise
            return (await ended).outcome()

    async def tell(self, settlement: dict[str, Any]) -> Settlement:
        """Passes a report on as the service takes it (`SettleItem`)."""
        return await self._tell(settlement)

    async def complete_step(
        self,
        name: str,
        *,
        result: Any = None,
        data: Mapping[str, Any] | None = None,
        priority: int | None = None,
        then: Literal["continue", "offer"] = "continue",
    ) -> Verdict:
        """Records that a step is done. Await it and continue, or return what it returns to end the attempt."""
        await self._tell({"type": "completeStep", "step": name, "then": then, **_recorded(result, data, priority)})
        self._asked.clear()
        return Verdict(None)

    async def record(self, data: Mapping[str, Any]) -> None:
        """Records data of the task at once. A member takes the place of the one of the same name, and None removes it."""
        await self._tell({"type": "record", "data": verdicts.sendable(dict(data))})

    async def report_error(self, error: BaseException) -> None:
        """Records an error without ending the attempt, which may still succeed."""
        await self._tell({"type": "reportError", "error": verdicts.report_of(error)})

    async def results(self) -> list[PrerequisiteResult]:
        """The results of what the task waited for."""
        return [item async for item in self.waybill.items("listResults", path={"id": self.task["taskId"]})]

    async def wait_for(self, signal: str, *, timeout: float, on_timeout: Literal["fail", "continue"] = "fail") -> Any:
        """The data of the signal. Until somebody gives it, the task waits without a worker: `Stopped` is raised.

        Afterwards the handler runs anew from the beginning of its step, and each wait that has ended returns at once what it
        returned before. So keep what comes before a wait harmless to repeat, and ask for the same waits in the same order.
        """
        waited = await self._wait(timeout, signal)
        if waited.get("by") == "signal":
            return waited.get("data")
        if on_timeout == "fail":
            raise WaitTimedOut(signal, timeout)
        return None

    async def sleep(self, seconds: float) -> None:
        """Waits as `wait_for` does, for a time alone."""
        await self._wait(seconds, None)

    async def _wait(self, seconds: float, signal: str | None) -> Any:
        timeout = verdicts.milliseconds(seconds, 0.001)
        self._asked[signal] += 1
        named = {} if signal is None else {"signal": signal}
        told = await self._tell({"type": "wait", **named, "number": self._asked[signal], "timeoutMs": timeout})
        return told.get("waited", {})


class Run(_Outcomes):
    """For a handler that is a plain function, which runs in a thread. It stops where it calls `check`, or reports."""

    def __init__(self, of: AsyncRun, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(of.task, of._reports, of._stop_reason, of._winding_down)
        self._of = of
        self._loop = loop

    def complete_step(
        self,
        name: str,
        *,
        result: Any = None,
        data: Mapping[str, Any] | None = None,
        priority: int | None = None,
        then: Literal["continue", "offer"] = "continue",
    ) -> Verdict:
        """See `AsyncRun.complete_step`."""
        return self._within(self._of.complete_step(name, result=result, data=data, priority=priority, then=then))

    def record(self, data: Mapping[str, Any]) -> None:
        """See `AsyncRun.record`."""
        self._within(self._of.record(data))

    def report_error(self, error: BaseException) -> None:
        """See `AsyncRun.report_error`."""
        self._within(self._of.report_error(error))

    def results(self) -> list[PrerequisiteResult]:
        """See `AsyncRun.results`."""
        return self._within(self._of.results())

    def wait_for(self, signal: str, *, timeout: float, on_timeout: Literal["fail", "continue"] = "fail") -> Any:
        """See `AsyncRun.wait_for`."""
        return self._within(self._of.wait_for(signal, timeout=timeout, on_timeout=on_timeout))

    def sleep(self, seconds: float) -> None:
        """See `AsyncRun.sleep`."""
        self._within(self._of.sleep(seconds))

    def _within(self, work: Coroutine[Any, Any, T]) -> T:
        result: T = asyncio.run_coroutine_threadsafe(_ended(work), self._loop).result().outcome()
        return result


class _Ended:
    """How work ended, for another thread: a future carries no `Stopped`, which is no `Exception`."""

    def __init__(self, value: Any, error: BaseException | None) -> None:
        self._value, self._error = value, error

    def outcome(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._value


async def _ended(work: Coroutine[Any, Any, Any]) -> _Ended:
    try:
        return _Ended(await work, None)
    except (Stopped, Exception) as error:
        return _Ended(None, error)


def _end_with(loop: asyncio.AbstractEventLoop, future: asyncio.Future[_Ended], work: Callable[[], Any]) -> None:
    try:
        ended = _Ended(work(), None)
    except BaseException as error:  # Whatever a thread of a handler dies of is the outcome of its task.
        ended = _Ended(None, error)
    try:
        loop.call_soon_threadsafe(_set, future, ended)
    except RuntimeError:
        # The worker has stopped meanwhile, and nobody waits.
        return


def _set(future: asyncio.Future[_Ended], ended: _Ended) -> None:
    if not future.done():
        future.set_result(ended)


def _recorded(result: Any, data: Mapping[str, Any] | None, priority: int | None) -> dict[str, Any]:
    return {
        **({} if result is None else {"result": verdicts.sendable(result)}),
        **({} if data is None else {"data": verdicts.sendable(dict(data))}),
        **({} if priority is None else {"priority": priority}),
    }
