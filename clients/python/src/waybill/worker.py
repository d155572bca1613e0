"""Claims tasks, runs their handlers and reports the outcomes."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar, overload

from ._attempt import Attempt, Handler
from ._calls import Retries, backoff, is_transient
from ._generated import ClaimedTask
from ._heartbeat import Heartbeat
from ._settlements import Settlements
from ._slots import Slots
from ._steps import StepsHandler
from ._measures import Gauge, Watch, disk_use, keep_measuring
from ._planner import Planner, PlannerHandler
from .asynchronous import AsyncWaybill
from .errors import WaybillError, WaybillUnavailable

log = logging.getLogger("waybill.worker")

H = TypeVar("H", bound=Handler)
P = TypeVar("P", bound=Planner)


class Functions(Protocol):
    """Task functions of a queue, as `waybill.functions(queue)` makes them."""

    @property
    def queue(self) -> str:
        ...

    @property
    def handler(self) -> Handler:
        ...


_ONCE = Retries(attempts=1)
#: The last part of the grace time, in which handlers are told to stop and their reports are answered.
_OBEY = 1.0
#: How long a claim waits if there are more queues than slots, because it keeps its slot from a queue that has none.
_CROWDED_WAIT = 1.0
#: How long stopping waits to learn which tasks an interrupted claim got.
_RECALL = 2.0
#: How much longer than its wait a claim may take, and the service's bound of tasks in one.
_MARGIN, _MOST = 10.0, 1_000


@dataclass(frozen=True)
class StopReport:
    """Of a stopped worker."""

    #: Ids of tasks that it gave back: claimed but not begun, or stopped by their handlers when told to.
    returned: list[str]
    #: Tasks whose handlers or reports did not end in time. Their leases expire.
    abandoned: list[ClaimedTask]


def steps(handlers: Mapping[str, Handler]) -> Handler:
    """A handler of tasks with steps, by the names of the steps. Its worker claims only tasks that are at one of them.

    It runs the steps one after the other under one claim, records each as it is done, and hands the task on before a step that
    has no handler here, and before the next step if the worker stops. What a handler returns is the result of its step.
    """
    return StepsHandler(handlers)


class Worker:
    """Its handlers are coroutines (`async def`), or plain functions, which run in threads.

    >>> worker = Worker("http://localhost:3000")
    >>> @worker.handler("mail")
    ... def send(task, run):
    ...     return deliver(task["payload"]["to"])
    >>> worker.run()
    """

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        api_key: str | None = None,
        concurrency: int = 10,
        lease: float | None = None,
        wait: float = 30.0,
        grace: float = 10.0,
        server: str | None = None,
        build: str | None = None,
    ) -> None:
        if concurrency < 1:
            raise ValueError(f"Expected concurrency to be 1 or more, but it is {concurrency}")
        if not 0 <= wait <= 60:
            raise ValueError(f"Expected wait to be 0 to 60 seconds, but it is {wait:g}")
        if lease is not None and not 1 <= lease <= 43_200:
            raise ValueError(f"Expected lease to be 1 to 43200 seconds, but it is {lease:g}")
        #: The worker's name in histories.
        self.name = name or f"{socket.gethostname()}:{os.getpid()}"
        self._url, self._api_key = url, api_key
        self._concurrency, self._wait, self._grace = concurrency, wait, grace
        self._claimant: dict[str, Any] = {
            "worker": self.name,
            "server": server or socket.gethostname(),
            **({} if build is None else {"build": build}),
            **({} if lease is None else {"leaseMs": round(lease * 1000)}),
        }
        self._handlers: dict[str, Handler] = {}
        self._watches: list[Watch] = []
        self._stop: Callable[[], None] | None = None
        self._stop_asked = False
        self._lock = threading.Lock()

    @overload
    def handle(self, queue: str, handler: Handler) -> Worker:
        ...

    @overload
    def handle(self, queue: Functions) -> Worker:
        ...

    def handle(self, queue: str | Functions, handler: Handler | None = None) -> Worker:
        """Registers the handler of a queue, or its task functions. Call it before the start, once per queue."""
        if not isinstance(queue, str):
            return self._register(queue.queue, queue.handler)
        if handler is None:
            raise TypeError(f"Expected a handler of queue '{queue}', but got none")
        return self._register(queue, handler)

    def _register(self, queue: str, handler: Handler) -> Worker:
        if self._stop is not None:
            raise RuntimeError(f"Expected to add the handler of queue '{queue}' before the start, but the worker runs")
        if queue in self._handlers:
            raise ValueError(f"Expected one handler of queue '{queue}', but got a second")
        self._handlers[queue] = handler
        return self

    def handler(self, queue: str) -> Callable[[H], H]:
        """Registers the decorated function as the handler of a queue."""

        def register(handler: H) -> H:
            self.handle(queue, handler)
            return handler

        return register

    def plan(self, queue: str, planner: Planner) -> Worker:
        """Registers the planner of the tasks of a queue that plan batches."""
        return self.handle(queue, PlannerHandler(planner))

    def planner(self, queue: str) -> Callable[[P], P]:
        """Registers the decorated function as the planner of a queue.

        It gets the task, the plan and its run, and adds tasks to the plan. Given the same task, it must add the same tasks in the
        same order: if its worker dies, another one begins again, and finds the tasks that were added before.
        """

        def register(planner: P) -> P:
            self.plan(queue, planner)
            return planner

        return register

    def watch(self, resource: str, gauge: Gauge, *, every: float = 10.0) -> Worker:
        """Measures a resource while the worker runs, at once and then each so many seconds.

        Keep them well below the resource's `staleAfterSeconds`.
        """
        if self._stop is not None:
            raise RuntimeError(f"Expected to watch resource '{resource}' from the start, but the worker runs")
        self._watches.append(Watch(resource, gauge, every))
        return self

    def watch_disk(self, resource: str, path: str, *, every: float = 10.0) -> Worker:
        """Measures how full the file system of a path is, in percent."""
        return self.watch(resource, partial(disk_use, path), every=every)

    def run(self, signals: Iterable[signal.Signals] = (signal.SIGTERM, signal.SIGINT)) -> StopReport:
        """Runs until `stop`, or until one of the signals arrives; a second one ends the process at once."""
        return asyncio.run(self._run(tuple(signals) if threading.current_thread() is threading.main_thread() else ()))

    def stop(self) -> None:
        """Asks the worker to stop, from any thread: `run` and `serve` return a report when it has."""
        with self._lock:
            self._stop_asked = True
            stop = self._stop
        if stop is not None:
            stop()

    async def serve(self) -> StopReport:
        """As `run`, within a running event loop. If it is cancelled, the worker stops first."""
        if not self._handlers:
            raise RuntimeError("Expected a handler before the start, but the worker has none")
        asked = asyncio.Event()
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._stop is not None:
                raise RuntimeError("Expected to start the worker, but it runs")
            self._stop = partial(_set_soon, loop, asked)
            if self._stop_asked:
                asked.set()
        try:
            return await self._session(asked)
        finally:
            with self._lock:
                self._stop, self._stop_asked = None, False

    async def _run(self, signals: tuple[signal.Signals, ...]) -> StopReport:
        loop = asyncio.get_running_loop()

        def interrupted() -> None:
            for each in signals:
                loop.remove_signal_handler(each)
            self.stop()

        for each in signals:
            loop.add_signal_handler(each, interrupted)
        return await self.serve()

    async def _session(self, asked: asyncio.Event) -> StopReport:
        async with AsyncWaybill(self._url, actor=self.name, api_key=self._api_key, read_your_writes=False) as waybill:
            session = _Session(waybill, self._handlers, self._claimant, self._concurrency, self._wait)
            asking = asyncio.create_task(asked.wait())
            measuring = [asyncio.create_task(keep_measuring(watch, waybill)) for watch in self._watches]
            try:
                await asyncio.wait([asking, *session.loops], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in (asking, *measuring):
                    each.cancel()
                report = await asyncio.shield(asyncio.create_task(session.stop(self._grace)))
            return report


def _set_soon(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    loop.call_soon_threadsafe(event.set)


class _Session:
    """A worker from its start to its stop."""

    def __init__(
        self,
        waybill: AsyncWaybill,
        handlers: Mapping[str, Handler],
        claimant: Mapping[str, Any],
        concurrency: int,
        wait: float,
    ) -> None:
        self._waybill = waybill
        self._claimant = claimant
        self._alone = len(handlers) == 1
        self._wait = wait if len(handlers) <= concurrency else min(wait, _CROWDED_WAIT)
        self._slots = Slots(concurrency)
        self._settlements = Settlements(waybill)
        self._heartbeat = Heartbeat(waybill)
        self._attempts: dict[Attempt, asyncio.Task[None]] = {}
        self._returned: list[str] = []
        self._stopping = asyncio.Event()
        claiming = [asyncio.create_task(self._claim_for(queue, handler)) for queue, handler in handlers.items()]
        #: None of them ends before the worker stops, unless by a bug, which `stop` raises.
        self.loops = [self._heartbeat.beating, *claiming]

    async def stop(self, grace: float) -> StopReport:
        """Stops claiming, lets handlers finish, then tells them to stop, all within the grace time (seconds).

        Tasks whose handlers do not stop are left to the expiry of their leases: nothing fails because a process ends.
        """
        self._stopping.set()
        for attempt in list(self._attempts):
            if attempt.stops_at_once:
                attempt.stop("shutdown")
        obey = min(_OBEY, grace / 2)
        await self._within(grace - obey)
        for attempt in list(self._attempts):
            attempt.stop("shutdown")
        await self._within(obey)
        self._settlements.end()
        self._heartbeat.end()
        for task in [*self.loops, *self._attempts.values()]:
            task.cancel()
        for broken in self.loops:
            if broken.done() and not broken.cancelled():
                broken.result()
        return StopReport(self._returned, [attempt.task for attempt in self._attempts])

    async def _within(self, seconds: float) -> None:
        open_tasks = [task for task in [*self.loops[1:], *self._attempts.values()] if not task.done()]
        if open_tasks:
            await asyncio.wait(open_tasks, timeout=seconds)

    async def _claim_for(self, queue: str, handler: Handler) -> None:
        offered = getattr(handler, "steps", None)
        request = {**self._claimant, **({} if offered is None else {"steps": list(offered)})}
        dry, refusals = False, 0
        while not self._stopping.is_set():
            count = await self._slots.reserve(1 if dry and not self._alone else _MOST, self._stopping)
            if count == 0:
                return
            waits = self._alone or dry
            claimed = await self._claim(
                queue, {**request, "max": count, "waitMs": round(self._wait * 1000) if waits else 0}
            )
            self._slots.release(count - (len(claimed) if isinstance(claimed, list) else 0))
            if isinstance(claimed, WaybillError):
                refusals += 1
                await self._hesitate("claim", claimed, refusals)
                continue
            dry, refusals = not claimed, 0
            await self._begin(claimed, handler)

    async def _begin(self, claimed: list[ClaimedTask], handler: Handler) -> None:
        for task in claimed:
            attempt = Attempt(task, self._waybill, self._settlements, self._heartbeat, self._stopping.is_set)
            self._heartbeat.add(attempt)
            self._attempts[attempt] = asyncio.create_task(self._work(attempt, handler))

    async def _work(self, attempt: Attempt, handler: Handler) -> None:
        if self._stopping.is_set():
            await attempt.leave()
        else:
            await attempt.work(handler)
        self._heartbeat.remove(attempt)
        del self._attempts[attempt]
        if attempt.returned and self._stopping.is_set():
            self._returned.append(attempt.task["taskId"])
        self._slots.release(1)

    async def _claim(self, queue: str, request: dict[str, Any]) -> list[ClaimedTask] | WaybillError:
        """If its outcome is unknown, the repetition has the same id and gets the same tasks. Returns a refusal."""
        body = {**request, "claimId": str(uuid.uuid4())}
        failures = 0
        while not self._stopping.is_set():
            try:
                asked = asyncio.create_task(self._ask(queue, body, request["waitMs"] / 1000 + _MARGIN))
                if await self._first(asked):
                    return await asked
                break
            except WaybillError as error:
                if error.status < 500:
                    return error
                failures += 1
                await self._hesitate("claim", error, failures)
            except WaybillUnavailable as error:
                failures += 1
                await self._hesitate("claim", error.cause, failures)
        return await self._recall(queue, body)

    async def _first(self, asked: asyncio.Task[Any]) -> bool:
        """Whether the answer came before the worker stops."""
        stopping = asyncio.create_task(self._stopping.wait())
        await asyncio.wait([asked, stopping], return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if asked.done():
            return True
        asked.cancel()
        return False

    async def _ask(self, queue: str, body: dict[str, Any], timeout: float) -> list[ClaimedTask]:
        answer = await self._waybill.call(
            "claimTasks", path={"queue": queue}, body=body, timeout=timeout, retries=_ONCE
        )
        tasks: list[ClaimedTask] = answer["tasks"]
        return tasks

    async def _recall(self, queue: str, body: dict[str, Any]) -> list[ClaimedTask]:
        """The tasks that an interrupted claim got, if any, so that they go back at once."""
        try:
            return await self._ask(queue, {**body, "waitMs": 0}, _RECALL)
        except (WaybillError, WaybillUnavailable) as error:
            log.warning("Expected to learn which tasks of '%s' an interrupted claim got, but: %s", queue, error)
            return []

    async def _hesitate(self, doing: str, error: Exception, failures: int) -> None:
        """A queue that does not exist may be defined at any time, so it is looked for more often."""
        missing = isinstance(error, WaybillError) and error.status == 404
        wait = backoff(0.2, 5.0 if missing else 30.0, failures, error)
        if not (missing and failures > 1):
            log.warning("Expected to %s, but: %s; trying again in %.1f s", doing, error, wait)
        try:
            await asyncio.wait_for(self._stopping.wait(), wait)
        except TimeoutError:
            return
