"""Task functions: every call of one is a task, which this program runs itself or lets a worker run."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

from ._context import current_event
from ._direct import TERMINATION, DirectRuns, start_task
from ._generated import ClaimedTask
from ._reports import LogLevel
from .batches import HasId, prerequisite
from .run import AsyncRun, Run, Stopped
from .verdicts import IllegalVerdict, Verdict

if TYPE_CHECKING:
    from ._direct_thread import ThreadedRuns
    from .asynchronous import AsyncTask, AsyncWaybill
    from .synchronous import Task, Waybill

P = ParamSpec("P")
R = TypeVar("R")
AnyRun = TypeVar("AnyRun", Run, AsyncRun)

log = logging.getLogger("waybill.worker")

#: How long a task waits that no function here can run: longer each time. Of so many tasks it is remembered.
_BASE, _CAP, _MOST = 1.0, 300.0, 10_000


class _State(Generic[AnyRun]):
    """One run of a task function: when it must stop, and how far it is."""

    def __init__(self, run: AnyRun) -> None:
        self._run: AnyRun = run
        self.attempt = run.attempt
        #: Grows with every claim of any task. Pass it to whatever the function writes to, and let that refuse lower tokens.
        self.fencing_token = run.fencing_token
        #: By this computer's clock.
        self.started_at = datetime.now(timezone.utc)
        #: None while the function runs.
        self.stopped_at: datetime | None = None

    @property
    def cancelled(self) -> bool:
        """Whether somebody cancelled the task, or the process stops. The task then ends cancelled, whatever the function does."""
        return self._run.stop_reason not in (None, "waiting")

    def check(self) -> None:
        """Raises `Stopped` if the run is cancelled. Call it where the function can stop."""
        self._run.check()

    def progress(self, title: str, *, position: float, end: float, start: float = 0) -> None:
        """Shows how far the work is, as the bar of this title."""
        self._run.progress(title, position=position, end=end, start=start)

    def log(self, text: str, *, level: LogLevel = "info", fields: Mapping[str, Any] | None = None) -> None:
        """Adds a line to the log of the task."""
        self._run.log(text, level=level, fields=fields)


class RunState(_State[Run]):
    def wait_for(self, signal: str, *, timeout: float, on_timeout: Literal["fail", "continue"] = "fail") -> Any:
        """See `AsyncRun.wait_for`. A direct call raises `Stopped` when the task begins to wait: a worker goes on with it."""
        return self._run.wait_for(signal, timeout=timeout, on_timeout=on_timeout)

    def sleep(self, seconds: float) -> None:
        """Waits as `wait_for` does, for a time alone."""
        self._run.sleep(seconds)


class AsyncRunState(_State[AsyncRun]):
    async def wait_for(self, signal: str, *, timeout: float, on_timeout: Literal["fail", "continue"] = "fail") -> Any:
        """See `RunState.wait_for`."""
        return await self._run.wait_for(signal, timeout=timeout, on_timeout=on_timeout)

    async def sleep(self, seconds: float) -> None:
        """Waits as `wait_for` does, for a time alone."""
        await self._run.sleep(seconds)


class _Registered:
    def __init__(self, work: Callable[..., Any], clean_up: Callable[..., Any] | None) -> None:
        self.work, self.clean_up = work, clean_up
        self._signature = inspect.signature(work)

    def arguments(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        """The arguments of a call in their order. Raises `TypeError` as a call would, and for what only has a name."""
        bound = self._signature.bind(None, None, *given, **named)
        if bound.kwargs:
            raise TypeError(
                f"Expected arguments that have places, which a task keeps, but got {', '.join(bound.kwargs)} by name"
            )
        return list(bound.args[2:])


class _Handler:
    """Runs the functions of a queue: each task names one by its kind, and its payload is the list of arguments."""

    #: A function is told at once that its worker stops, unlike plain handlers.
    stops_at_once = True

    def __init__(self) -> None:
        self.functions: dict[str, _Registered] = {}
        self._turns: dict[str, int] = {}

    def _found(self, task: ClaimedTask) -> _Registered | Verdict:
        found = self.functions.get(task["kind"])
        if found is None:
            return self._give_back(task)
        if not isinstance(task["payload"], list):
            raise IllegalVerdict(
                f"Expected the payload of '{task['kind']}' to be its list of arguments, but it is no list"
            )
        return found

    def _give_back(self, task: ClaimedTask) -> Verdict:
        """To another worker, which may have the function. No attempt is spent."""
        turns = self._turns.pop(task["taskId"], 0)
        self._turns[task["taskId"]] = turns + 1
        if len(self._turns) > _MOST:
            del self._turns[next(iter(self._turns))]
        after = min(_CAP, _BASE * 2.0 ** min(turns, 30))
        known = ", ".join(self.functions)
        log.warning("Expected a function '%s', but there are only: %s; the task goes back", task["kind"], known)
        return Verdict({"type": "return", "afterMs": round(after * 1000), "unknownKind": True})


class _PlainHandler(_Handler):
    def __call__(self, task: ClaimedTask, run: Run) -> Verdict:
        found = self._found(task)
        if isinstance(found, Verdict):
            return found
        with _within(task, state := RunState(run)):
            try:
                if run.attempt > 1 and found.clean_up:
                    found.clean_up(task["taskId"], state, *task["payload"])
                result = found.work(task["taskId"], state, *task["payload"])
                if run.stop_reason is None:
                    return run.succeed(result)
            except (Stopped, Exception) as error:
                if run.stop_reason is None:
                    raise
                if state.cancelled and not isinstance(error, Stopped):
                    run.report_error(error)
        return _stopped_by(run)


class _CoroutineHandler(_Handler):
    async def __call__(self, task: ClaimedTask, run: AsyncRun) -> Verdict:
        found = self._found(task)
        if isinstance(found, Verdict):
            return found
        with _within(task, state := AsyncRunState(run)):
            try:
                if run.attempt > 1 and found.clean_up:
                    await found.clean_up(task["taskId"], state, *task["payload"])
                result = await found.work(task["taskId"], state, *task["payload"])
                if run.stop_reason is None:
                    return run.succeed(result)
            except (Stopped, asyncio.CancelledError, Exception) as error:
                if run.stop_reason is None:
                    raise
                if state.cancelled and not isinstance(error, (Stopped, asyncio.CancelledError)):
                    await run.report_error(error)
        return _stopped_by(run)


@contextmanager
def _within(task: ClaimedTask, state: RunState | AsyncRunState) -> Iterator[None]:
    outer = current_event.set(task["claimEvent"])
    try:
        yield
    finally:
        state.stopped_at = datetime.now(timezone.utc)
        current_event.reset(outer)


def _stopped_by(run: Run | AsyncRun) -> Verdict:
    """If the run must stop when the function ends, that counts, not what it returned or raised. A task that waits, or is another
    worker's, has nothing more to report."""
    if run.stop_reason == "shutdown":
        return Verdict({"type": "cancel", "reason": "The process that ran the task stopped"})
    return Verdict({"type": "confirmCancel"} if run.stop_reason == "cancel" else None)


class BackgroundRun(Generic[R]):
    """A run in this process, which must outlive it. A failure is recorded with the task, so you may ignore the result."""

    def __init__(self, task_id: str, future: Future[R]) -> None:
        self.id = task_id
        self._future = future

    def result(self, timeout: float | None = None) -> R:
        """What the function returns. Raises what it raises, `Stopped` if it had to stop, and `TimeoutError` after so many seconds."""
        return self._future.result(timeout)


class AsyncBackgroundRun(Generic[R]):
    """As `BackgroundRun`, in an event loop."""

    def __init__(self, task_id: str, running: asyncio.Task[R]) -> None:
        self.id = task_id
        self._running = running

    async def result(self) -> R:
        """See `BackgroundRun.result`."""
        return await self._running


class _Function:
    def __init__(self, queue: str, kind: str, registered: _Registered) -> None:
        #: The name of its queue.
        self.queue = queue
        #: Names the function in stored tasks.
        self.kind = kind
        self._registered = registered

    def _applied(
        self, arguments: Iterable[Any], after: Iterable[HasId | Mapping[str, Any]], options: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        waits = [prerequisite(one) for one in after]
        given = self._registered.arguments(list(arguments), {})
        return given, {**options, "kind": self.kind, **({"after": waits} if waits else {})}


class TaskFunction(_Function, Generic[P, R]):
    """A function whose every call is a task with its own record."""

    def __init__(self, functions: Functions, kind: str, registered: _Registered) -> None:
        super().__init__(functions.queue, kind, registered)
        self._functions = functions

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs the function here and now, in this thread. Raises what it raises, and `Stopped` if the task is cancelled."""
        result: R = self._functions._runs.here(self._start(args, kwargs), self._functions.handler)
        return result

    def background(self, *args: P.args, **kwargs: P.kwargs) -> BackgroundRun[R]:
        """Runs the function in a thread of its own. Returns when its task has started."""
        task = self._start(args, kwargs)
        return BackgroundRun(task["taskId"], self._functions._runs.beside(task, self._functions.handler))

    def apply(
        self, arguments: Iterable[Any] = (), /, *, after: Iterable[HasId | Mapping[str, Any]] = (), **options: Any
    ) -> Task:
        """Enqueues the call for a worker. `options` are those of `Queue.enqueue`, such as `priority`.

        `after`: what must be done first, tasks as `apply` returns them, batches, or either as the API names them.
        """
        given, body = self._applied(arguments, after, options)
        return self._functions._waybill.queue(self.queue).enqueue(given, **body)

    def defer(self, at: datetime | str, arguments: Iterable[Any] = (), /, **options: Any) -> Task:
        """As `apply`, for a time in the future."""
        return self.apply(arguments, dueAt=_time(at), **options)

    def _start(self, args: Sequence[Any], named: Mapping[str, Any]) -> ClaimedTask:
        TERMINATION.watch()
        waybill, given = self._functions._waybill, self._registered.arguments(args, named)
        return waybill._run(start_task(waybill.config, self.queue, self.kind, given))


class AsyncTaskFunction(_Function, Generic[P, R]):
    """As `TaskFunction`, of a coroutine."""

    def __init__(self, functions: AsyncFunctions, kind: str, registered: _Registered) -> None:
        super().__init__(functions.queue, kind, registered)
        self._functions = functions

    async def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs the function here and now, in this event loop. See `TaskFunction.__call__`."""
        return await self._finish(await self._start(args, kwargs))

    async def background(self, *args: P.args, **kwargs: P.kwargs) -> AsyncBackgroundRun[R]:
        """Runs the function as an asyncio task of its own. Returns when its task has started."""
        task = await self._start(args, kwargs)
        running = asyncio.create_task(self._finish(task))
        # Nobody need ask for it: what it raises is recorded with the task.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        return AsyncBackgroundRun(task["taskId"], running)

    async def apply(
        self, arguments: Iterable[Any] = (), /, *, after: Iterable[HasId | Mapping[str, Any]] = (), **options: Any
    ) -> AsyncTask:
        """See `TaskFunction.apply`."""
        given, body = self._applied(arguments, after, options)
        return await self._functions._waybill.queue(self.queue).enqueue(given, **body)

    async def defer(self, at: datetime | str, arguments: Iterable[Any] = (), /, **options: Any) -> AsyncTask:
        """See `TaskFunction.defer`."""
        return await self.apply(arguments, dueAt=_time(at), **options)

    async def _start(self, args: Sequence[Any], named: Mapping[str, Any]) -> ClaimedTask:
        TERMINATION.watch()
        waybill, given = self._functions._waybill, self._registered.arguments(args, named)
        return await waybill._run(start_task(waybill.config, self.queue, self.kind, given))

    async def _finish(self, task: ClaimedTask) -> R:
        result: R = await self._functions._runs.finish(task, self._functions.handler)
        return result


class Functions:
    """Functions whose calls are tasks of one queue. `worker.handle(functions)` runs those that are enqueued."""

    def __init__(self, waybill: Waybill, queue: str, runs: ThreadedRuns) -> None:
        #: The name of the queue.
        self.queue = queue
        self.handler = _PlainHandler()
        self._waybill, self._runs = waybill, runs

    def task(
        self, kind: str, *, clean_up: Callable[..., Any] | None = None
    ) -> Callable[[Callable[Concatenate[str, RunState, P], R]], TaskFunction[P, R]]:
        """Makes the decorated function a task function: it gets the id of its task and its run in front of its own arguments.

        `kind` names it for ever, in the form `module:function`. `clean_up` runs before every attempt but the first, with the same
        arguments, to undo what an interrupted one left.
        """

        def register(work: Callable[Concatenate[str, RunState, P], R]) -> TaskFunction[P, R]:
            if inspect.iscoroutinefunction(work):
                raise TypeError(
                    f"Expected '{kind}' to be a plain function, but it is a coroutine: use AsyncWaybill.functions"
                )
            return TaskFunction(self, kind, _register(self.handler.functions, kind, work, clean_up))

        return register


class AsyncFunctions:
    """As `Functions`, of coroutines."""

    def __init__(self, waybill: AsyncWaybill, queue: str, runs: DirectRuns) -> None:
        #: The name of the queue.
        self.queue = queue
        self.handler = _CoroutineHandler()
        self._waybill, self._runs = waybill, runs

    def task(
        self, kind: str, *, clean_up: Callable[..., Awaitable[Any]] | None = None
    ) -> Callable[[Callable[Concatenate[str, AsyncRunState, P], Coroutine[Any, Any, R]]], AsyncTaskFunction[P, R]]:
        """See `Functions.task`. The function must be a coroutine, and is cancelled when its task is."""

        def register(
            work: Callable[Concatenate[str, AsyncRunState, P], Coroutine[Any, Any, R]]
        ) -> AsyncTaskFunction[P, R]:
            if not inspect.iscoroutinefunction(work):
                raise TypeError(
                    f"Expected '{kind}' to be a coroutine, but it is a plain function: use Waybill.functions"
                )
            return AsyncTaskFunction(self, kind, _register(self.handler.functions, kind, work, clean_up))

        return register


def _register(
    functions: dict[str, _Registered], kind: str, work: Callable[..., Any], clean_up: Callable[..., Any] | None
) -> _Registered:
    if kind in functions:
        raise ValueError(f"Expected one function '{kind}', but got a second")
    functions[kind] = _Registered(work, clean_up)
    return functions[kind]


def _time(at: datetime | str) -> str:
    return at if isinstance(at, str) else at.astimezone(timezone.utc).isoformat()
