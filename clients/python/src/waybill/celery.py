"""Celery's workers execute what Waybill decides: a handler for `Worker` that sends each task to Celery and waits for its end.

>>> worker = Worker("http://localhost:3000", concurrency=8)
>>> worker.handle("ingest", celery_handler(app))
>>> worker.run()
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from celery import Celery, states
from celery.backends.base import DisabledBackend
from celery.exceptions import WorkerLostError
from kombu.exceptions import OperationalError

from ._generated import ClaimedTask
from .errors import Failure
from .run import AsyncRun
from .verdicts import IllegalVerdict, Verdict

log = logging.getLogger("waybill.worker")

#: Where a task's data has the id of its last execution by Celery.
RECORDED = "celery"
#: How often results are looked for, and how long after the result backend could not be read (seconds).
_LOOK, _LOOK_AGAIN = 0.25, 5.0
#: Sent as the number of retries that a task has had. Above `max_retries`, Celery raises the error instead of running it again.
#: Not larger, because a backoff computes two to the power of it.
_NO_MORE_RETRIES = 1_000
_UNKNOWN = Verdict(None)

#: How an execution ended, as the result backend tells it: its `status`, its `result` or exception, and a `traceback`.
Ended = dict[str, Any]


def celery_handler(app: Celery, *, names: Mapping[str, str] | None = None) -> CeleryHandler:
    """A handler that lets Celery's workers execute the tasks of a queue. Give the worker as many slots as those have processes.

    The kind of a task is the name of Celery's task, unless `names` has another for it. A payload that is a list has the
    positional arguments, and one that is an object those with names. The task finds `task`, `attempt` and `fencing_token` in
    `self.request.waybill`.

    Raises `ValueError` if the app has no result backend, or a broker that cannot tell all workers to stop a task.
    """
    return CeleryHandler(app, names or {})


class CeleryHandler:
    """Made by `celery_handler`. For one worker at a time."""

    def __init__(self, app: Celery, names: Mapping[str, str]) -> None:
        _check(app)
        self._app = app
        self._names = dict(names)
        self._ends = _Ends(app)

    async def __call__(self, task: ClaimedTask, run: AsyncRun) -> Verdict:
        execution = self._execution_of(task, run)
        await self._end_earlier(task)
        # Before it is sent, so that whoever gets the task next can end this execution.
        await run.record({RECORDED: execution.id})
        try:
            ended = await self._outcome(execution)
        except OperationalError as error:
            log.warning("Expected to send '%s' to Celery, but: %s", execution, error)
            # If a broker took the message nevertheless, it has expired by then.
            return run.postpone(execution.lease) if run.stop_reason is None else run.cancelled()
        if ended is None:
            log.warning("Expected Celery to end '%s' of task '%s', but it does not say so", execution, task["taskId"])
            return _UNKNOWN
        return _verdict_of(ended, run)

    def _execution_of(self, task: ClaimedTask, run: AsyncRun) -> _Execution:
        name, payload = self._names.get(task["kind"], task["kind"]), task["payload"]
        if "items" in task:
            raise IllegalVerdict("Expected one task, but got a job for many: Celery's workers cannot settle its items")
        if not isinstance(payload, (list, dict, type(None))):
            raise IllegalVerdict(
                f"Expected the payload to have the arguments of '{name}' as a list or an object, but it is {payload!r:.100}"
            )
        self._check(name)
        told = {"task": task["taskId"], "attempt": task["attempt"], "fencing_token": run.fencing_token}
        args, kwargs = (payload or [], {}) if not isinstance(payload, dict) else ([], payload)
        return _Execution(str(uuid4()), name, args, kwargs, told, task["leaseMs"] / 1000)

    def _check(self, name: str) -> None:
        """If the app has the task. One that it does not have may exist in Celery's workers."""
        known = self._app.tasks.get(name)
        if known is None:
            return
        if known.ignore_result:
            raise IllegalVerdict(f"Expected Celery's task '{name}' to tell its result, but it has ignore_result=True")
        if known.max_retries is None or known.max_retries >= _NO_MORE_RETRIES:
            raise IllegalVerdict(
                f"Expected Celery's task '{name}' to leave retries to Waybill, but its max_retries is {known.max_retries}"
            )

    async def _outcome(self, execution: _Execution) -> Ended | None:
        """How it ended, also if the handler must stop meanwhile. None: Celery was told to stop it and does not say that it did."""
        executing = asyncio.create_task(self._execute(execution))
        try:
            return await asyncio.shield(executing)
        except asyncio.CancelledError:
            return executing.result() if await self._end(execution.id, executing, execution.lease) else None

    async def _execute(self, execution: _Execution) -> Ended:
        await asyncio.to_thread(execution.send, self._app)
        return await self._ends.of(execution.id)

    async def _end_earlier(self, task: ClaimedTask) -> None:
        """The execution of an attempt that was lost must not go on beside this one."""
        earlier = task["data"].get(RECORDED)
        if earlier is None:
            return
        ending = asyncio.create_task(self._ends.of(earlier))
        # Long enough for a look: most earlier attempts have ended.
        if (await asyncio.wait([ending], timeout=4 * _LOOK))[0]:
            return
        if not await self._end(earlier, ending, task["leaseMs"] / 1000):
            log.warning("Expected Celery to end '%s' of a lost attempt, but it does not say so", earlier)

    async def _end(self, execution: str, ending: asyncio.Task[Ended], seconds: float) -> bool:
        """Tells Celery to stop it. Whether it has ended within the time."""
        try:
            await asyncio.to_thread(self._revoke, execution)
            return bool((await asyncio.wait([ending], timeout=seconds))[0])
        finally:
            ending.cancel()

    def _revoke(self, execution: str) -> None:
        try:
            self._app.control.revoke(execution, terminate=True)
        except Exception as error:  # Whatever the broker's library raises.
            log.warning("Expected to revoke '%s', but: %s", execution, error)


@dataclass(frozen=True)
class _Execution:
    """One message to Celery. It expires a lease's time after it is sent. If its bridge dies at once, that is later than the lease ends by
    the time since the last heartbeat; the next attempt revokes it first."""

    id: str
    name: str
    args: list[Any]
    kwargs: dict[str, Any]
    told: dict[str, Any]
    lease: float

    def send(self, app: Celery) -> None:
        app.send_task(
            self.name,
            self.args,
            self.kwargs,
            task_id=self.id,
            expires=self.lease,
            retries=_NO_MORE_RETRIES,
            headers={"waybill": self.told},
        )

    def __str__(self) -> str:
        return f"{self.name} {self.id}"


class _Ends:
    """Learns how executions end. It looks for them again and again, because few result backends tell by themselves."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._awaited: dict[str, asyncio.Future[Ended]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def of(self, execution: str) -> Ended:
        """Returns when it has ended."""
        self._awaited[execution] = asyncio.get_running_loop().create_future()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            return await self._awaited[execution]
        finally:
            del self._awaited[execution]

    async def _look(self) -> None:
        while self._awaited:
            failed = False
            for execution in list(self._awaited):
                failed = not await self._look_once(execution) or failed
            await asyncio.sleep(_LOOK_AGAIN if failed else _LOOK)

    async def _look_once(self, execution: str) -> bool:
        """False if the result backend gave no answer."""
        try:
            ended = await asyncio.to_thread(self._found, execution)
        except Exception as error:  # Whatever the library of the result backend raises.
            log.warning("Expected to read the result of '%s', but: %s; trying again soon", execution, error)
            return False
        awaited = self._awaited.get(execution)
        if ended is not None and awaited is not None and not awaited.done():
            awaited.set_result(ended)
        return True

    def _found(self, execution: str) -> Ended | None:
        found: Ended = self._app.backend.get_task_meta(execution)
        return found if found["status"] in states.READY_STATES else None


def _verdict_of(ended: Ended, run: AsyncRun) -> Verdict:
    state, outcome = ended["status"], ended["result"]
    if state == states.SUCCESS:
        return run.succeed(outcome)
    if state == states.REVOKED:
        return _revoked(str(outcome), run)
    if isinstance(outcome, WorkerLostError):
        # What it did is unknown, as after a crash of any worker: the lease expires.
        log.warning("Celery lost the process of task '%s': %s", run.task["taskId"], outcome)
        return _UNKNOWN
    details = {"exception": type(outcome).__name__, "stack": ended.get("traceback")}
    raise Failure(str(outcome) or type(outcome).__name__, details=details)


def _revoked(reason: str, run: AsyncRun) -> Verdict:
    if run.stop_reason is not None:
        return run.cancelled()
    if reason == "expired":
        # No process of Celery was free in time, so it was not begun.
        return Verdict({"type": "return", "unstarted": True})
    raise Failure(f"Expected Celery to execute the task, but somebody revoked it there: {reason}")


def _check(app: Celery) -> None:
    if isinstance(app.backend, DisabledBackend):
        raise ValueError("Expected a result backend, by which Celery tells how tasks end, but the app has none")
    if app.conf.task_ignore_result:
        raise ValueError("Expected Celery to keep results, but the app has task_ignore_result=True")
    with app.connection_for_write() as broker:
        if not broker.supports_exchange_type("fanout"):
            raise ValueError(
                f"Expected a broker that reaches all workers, as Redis and RabbitMQ do, but '{broker.transport_cls}' does not"
            )
