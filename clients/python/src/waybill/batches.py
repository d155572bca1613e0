"""Batches: tasks that are planned together, of which all may run, or none."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, overload

from . import _flows
from ._calls import Config, Flow, call
from ._generated import BatchDetails, BatchView
from .errors import BatchFailed, WaybillError

if TYPE_CHECKING:
    from .asynchronous import AsyncWaybill
    from .synchronous import Waybill


class FunctionOfTasks(Protocol):
    """What a plan needs of a task function."""

    @property
    def kind(self) -> str:
        ...

    @property
    def queue(self) -> str:
        ...


class HasId(Protocol):
    """A task, as `enqueue` and `apply` return it."""

    id: str


@dataclass(frozen=True, eq=False)
class PlannedTask:
    """A task of a plan, to name as a prerequisite of later ones."""

    #: Its number in the plan, from 0.
    ordinal: int
    queue: str
    payload: Any
    options: Mapping[str, Any]
    #: Tasks of the plan, and others as the API names them: `{"task": id}` or `{"batch": id}`.
    after: Sequence[PlannedTask | Mapping[str, Any]]


class Plan:
    """The tasks of a batch that is being planned. Nothing is sent before the batch is submitted."""

    def __init__(self, batch: str) -> None:
        #: Of the batch.
        self.id = batch
        self._tasks: list[PlannedTask] = []

    @overload
    def add(
        self,
        to: str,
        payload: Any = None,
        /,
        *,
        after: Iterable[PlannedTask | HasId | Mapping[str, Any]] = (),
        **options: Any,
    ) -> PlannedTask:
        ...

    @overload
    def add(
        self,
        to: FunctionOfTasks,
        payload: Sequence[Any] = (),
        /,
        *,
        after: Iterable[PlannedTask | HasId | Mapping[str, Any]] = (),
        **options: Any,
    ) -> PlannedTask:
        ...

    def add(
        self,
        to: str | FunctionOfTasks,
        payload: Any = None,
        /,
        *,
        after: Iterable[PlannedTask | HasId | Mapping[str, Any]] = (),
        **options: Any,
    ) -> PlannedTask:
        """Adds a task of a queue, or the call of a task function with a list of arguments. `options` are those of `enqueue`.

        It can wait for tasks that were added before, and for tasks and batches that exist.
        """
        queue, kind = (to, {}) if isinstance(to, str) else (to.queue, {"kind": to.kind})
        given = payload if isinstance(to, str) else list(payload or ())
        waits_for: list[PlannedTask | Mapping[str, Any]] = [
            one if isinstance(one, PlannedTask) else prerequisite(one) for one in after
        ]
        for one in waits_for:
            if isinstance(one, PlannedTask) and not self._has(one):
                raise ValueError("Expected prerequisites of the same plan, but one is a task of another")
        task = PlannedTask(len(self._tasks), queue, given, {**options, **kind}, waits_for)
        self._tasks.append(task)
        return task

    def _has(self, task: PlannedTask) -> bool:
        return task.ordinal < len(self._tasks) and self._tasks[task.ordinal] is task

    def graph(self) -> list[dict[str, Any]]:
        """The plan as a value, for tests: `ordinal`, `queue`, `kind`, `payload` and `after` (ordinals) of each task."""
        return [
            {
                "ordinal": task.ordinal,
                "queue": task.queue,
                "kind": task.options.get("kind"),
                "payload": task.payload,
                "after": [one.ordinal for one in task.after if isinstance(one, PlannedTask)],
            }
            for task in self._tasks
        ]

    def fill(self, config: Config) -> Flow[None]:
        """Adds the tasks to the batch, which exists, and opens it. Raises the first refusal.

        The ids of the tasks follow from that of the batch, so whoever does this again finds the tasks of the first time.
        """
        ids = [_flows.derived_id(f"batch {self.id}", str(task.ordinal)) for task in self._tasks]
        submissions = [self._submission_of(task, ids) for task in self._tasks]
        for outcome in (yield from _flows.enqueue_all(config, submissions)):
            if "problem" in outcome:
                raise WaybillError(outcome["problem"])  # type: ignore[typeddict-item]
        yield from call(config, "openBatch", path={"id": self.id}, body={"tasks": len(self._tasks)})

    def _submission_of(self, task: PlannedTask, ids: Sequence[str]) -> dict[str, Any]:
        after = [{"task": ids[one.ordinal]} if isinstance(one, PlannedTask) else one for one in task.after]
        return {
            **task.options,
            "queue": task.queue,
            "payload": task.payload,
            "id": ids[task.ordinal],
            "batch": self.id,
            "batchSize": len(self._tasks),
            **({"after": after} if after else {}),
        }


class _NewBatch(Plan):
    def __init__(self, name: str, batch: str | None, about: Mapping[str, Any]) -> None:
        super().__init__(batch or _flows.new_id())
        self._about = {"name": name, **about, "id": self.id}

    def _submit(self, config: Config) -> Flow[None]:
        yield from call(config, "createBatch", body=self._about)
        yield from self.fill(config)


class BatchPlan(_NewBatch):
    """A batch that is being planned: `waybill.plan_batch(name)`."""

    def __init__(self, waybill: Waybill, name: str, batch: str | None, about: Mapping[str, Any]) -> None:
        super().__init__(name, batch, about)
        self._waybill = waybill

    def submit(self) -> Batch:
        """Creates the batch with all its tasks, and opens it: all of them may run, or none. Raises the first refusal.

        Calling it again after an error goes on where it stopped.
        """
        self._waybill._run(self._submit(self._waybill.config))
        return Batch(self._waybill, self.id)


class AsyncBatchPlan(_NewBatch):
    """As `BatchPlan`, for an event loop."""

    def __init__(self, waybill: AsyncWaybill, name: str, batch: str | None, about: Mapping[str, Any]) -> None:
        super().__init__(name, batch, about)
        self._waybill = waybill

    async def submit(self) -> AsyncBatch:
        """See `BatchPlan.submit`."""
        await self._waybill._run(self._submit(self._waybill.config))
        return AsyncBatch(self._waybill, self.id)


class Batch:
    """A batch by its id."""

    def __init__(self, waybill: Waybill, batch_id: str) -> None:
        self._waybill = waybill
        self.id = batch_id

    def get(self) -> BatchDetails:
        view: BatchDetails = self._waybill.call("getBatch", path={"id": self.id})
        return view

    def command(self, operation: str, /, **body: Any) -> Any:
        """A command by the name of its operation: `batch.command("abortBatch", reason="The tape is lost")`."""
        return self._waybill.call(operation, path={"id": self.id}, body=body)

    def done(self, *, timeout: float | None = None) -> BatchView:
        """The batch once it is completed. Raises `BatchFailed` if it ends otherwise, and `TimeoutError` after so many seconds."""
        return self._waybill._run(_done(self._waybill.config, self.id, timeout))


class AsyncBatch:
    """As `Batch`, for an event loop."""

    def __init__(self, waybill: AsyncWaybill, batch_id: str) -> None:
        self._waybill = waybill
        self.id = batch_id

    async def get(self) -> BatchDetails:
        view: BatchDetails = await self._waybill.call("getBatch", path={"id": self.id})
        return view

    async def command(self, operation: str, /, **body: Any) -> Any:
        """See `Batch.command`."""
        return await self._waybill.call(operation, path={"id": self.id}, body=body)

    async def done(self, *, timeout: float | None = None) -> BatchView:
        """See `Batch.done`."""
        return await self._waybill._run(_done(self._waybill.config, self.id, timeout))


def prerequisite(one: HasId | Mapping[str, Any]) -> Mapping[str, Any]:
    """As the API names it. A task, or a batch, may be given as its handle."""
    if isinstance(one, Mapping):
        return one
    return {"batch" if isinstance(one, (Batch, AsyncBatch)) else "task": one.id}


_ENDED = frozenset({"completed", "failed", "aborted", "deleted"})
_ENDINGS = frozenset({"BatchCompleted", "BatchFailed", "BatchPlanFailed", "BatchAborted", "BatchDeleted"})


def _done(config: Config, batch: str, timeout: float | None) -> Flow[BatchView]:
    end = math.inf if timeout is None else time.monotonic() + timeout
    seen: str | None = None
    while True:
        now: BatchView = yield from call(
            config, "getBatch", path={"id": batch}, query={"minPosition": seen} if seen else {}
        )
        if now["state"] == "completed":
            return now
        if now["state"] in _ENDED:
            raise BatchFailed(now)
        if time.monotonic() >= end:
            raise TimeoutError(f"Expected batch '{now['name']}' to end within {timeout:g} s, but it is {now['state']}")
        about = {"category": "batch", "name": batch, "after": now["position"]}
        seen = yield from _flows.next_event(config, about, _ENDINGS, end)
