"""The client for programs without an event loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import _flows
from ._calls import Config, Flow, Retries, call
from ._direct_thread import ThreadedRuns
from ._drivers import run_sync
from ._generated import EnqueueResult, EventList, QueueView, RefusedItem, TaskDetails, TaskExplanation, TaskSubmission
from ._settings import config_of
from .batches import Batch, BatchPlan
from .functions import Functions
from .resources import Resource

T = TypeVar("T")


class Waybill:
    """A connection to the service, for one actor. Safe to share between threads."""

    def __init__(
        self,
        url: str,
        *,
        actor: str | None = None,
        api_key: str | None = None,
        timeout: float = 10.0,
        retries: Retries = Retries(),
        read_your_writes: bool = True,
        traceparent: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.config = config_of(actor, api_key, timeout, retries, read_your_writes, traceparent)
        self._http = httpx.Client(base_url=url)
        self._runs = ThreadedRuns(url, self.config)

    def __enter__(self) -> Waybill:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._runs.close()
        self._http.close()

    def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: Retries | None = None,
    ) -> Any:
        """Any operation of the API by its name, such as "listQueues"; its answer, in plain data."""
        return self._run(
            call(
                self.config,
                operation,
                path=path,
                query=query,
                body=body,
                idempotency_key=idempotency_key,
                timeout=timeout,
                retries=retries,
            )
        )

    def items(self, operation: str, *, path: Mapping[str, str] | None = None, **query: Any) -> Iterator[Any]:
        """All items of a list, such as "listTasks", page by page."""
        cursor: str | None = None
        while True:
            page = self.call(operation, path=path, query={**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def queue(self, name: str) -> Queue:
        return Queue(self, name)

    def batch(self, batch_id: str) -> Batch:
        return Batch(self, batch_id)

    def plan_batch(self, name: str, *, id: str | None = None, **about: Any) -> BatchPlan:
        """Plans a batch. With an `id` of its own, a program that plans the same batch again finds its earlier tasks.

        `about` are the members of `BatchDefinition`, such as `description` and `reportTo`.
        """
        return BatchPlan(self, name, id, about)

    def create_batch(self, name: str, *, plan: Mapping[str, Any], **about: Any) -> Batch:
        """Creates a batch together with the task that plans it, in a queue whose worker has a planner (`Worker.planner`)."""
        batch_id = _flows.new_id()
        self.call("createBatch", body={"name": name, "plan": plan, "id": batch_id, **about})
        return Batch(self, batch_id)

    def functions(self, queue: str) -> Functions:
        """Makes functions whose calls are tasks of a queue: run here and now, or by a worker."""
        return Functions(self, queue, self._runs)

    def resource(self, name: str) -> Resource:
        return Resource(self, name)

    def task(self, task_id: str) -> Task:
        return Task(self, task_id)

    def _run(self, flow: Flow[T]) -> T:
        return run_sync(flow, self._http)


class Queue:
    """A queue by its name."""

    def __init__(self, waybill: Waybill, name: str) -> None:
        self._waybill = waybill
        self.name = name

    def define(self, policy: Mapping[str, Any] | None = None, /, **options: Any) -> None:
        """Defines the queue with a policy. `options` are `reason`, `preset` and `replace`, as of `QueueDefinition`."""
        self._waybill.call("defineQueue", path={"queue": self.name}, body={"policy": dict(policy or {}), **options})

    def get(self) -> QueueView:
        view: QueueView = self._waybill.call("getQueue", path={"queue": self.name})
        return view

    def enqueue(self, payload: Any = None, /, *, idempotency_key: str | None = None, **options: Any) -> Task:
        """Adds a task. `options` are the members of `TaskSubmission`, such as `key="order-7"`, `priority=5`, `dueAt=...`.

        With a `key` that a waiting task of the queue has, the answer is that task, as the queue's policy says.
        """
        body = _flows.submission_of({"payload": payload, **options})
        outcome: EnqueueResult = self._waybill.call(
            "enqueueTask", path={"queue": self.name}, body=body, idempotency_key=idempotency_key
        )
        return Task(self._waybill, outcome["id"], outcome)

    def enqueue_many(self, tasks: Iterable[TaskSubmission]) -> list[EnqueueResult | RefusedItem]:
        """Adds tasks, in requests of 1,000. One result for each, in order; a refused one has a `problem`."""
        return self._waybill._run(
            _flows.enqueue_all(self._waybill.config, [{**task, "queue": self.name} for task in tasks])
        )

    def run(self, payload: Any = None, /, *, timeout: float | None = None, **options: Any) -> Any:
        """Adds a task and waits for its result: see `Task.result`."""
        return self.enqueue(payload, **options).result(timeout=timeout)


class Task:
    """A task by its id."""

    def __init__(self, waybill: Waybill, task_id: str, outcome: EnqueueResult | None = None) -> None:
        self._waybill = waybill
        self.id = task_id
        #: What became of the submission, if this handle comes from one: its `status` is "existing" if the key was taken.
        self.outcome = outcome

    def get(self) -> TaskDetails:
        view: TaskDetails = self._call("getTask")
        return view

    def why(self) -> TaskExplanation:
        """Why the task is where it is, and what can be done."""
        explanation: TaskExplanation = self._call("getTaskExplanation")
        return explanation

    def history(self) -> EventList:
        """Everything that happened to the task."""
        events: EventList = self._call("getTaskHistory")
        return events

    def result(self, *, timeout: float | None = None) -> Any:
        """The task's result once it has succeeded.

        Raises `TaskFailed` if it ends otherwise, and `TaskNotEnded` if it has not ended within `timeout` seconds.
        """
        return self._waybill._run(_flows.result_of(self._waybill.config, self.id, timeout))

    def command(self, operation: str, /, **body: Any) -> Any:
        """A command by the name of its operation: `task.command("retryTask", reason="The disk is mended")`."""
        return self._call(operation, body=body)

    def signal(self, name: str, data: Any = None, **body: Any) -> None:
        """Gives a waiting handler what it waits for (`run.wait_for`). A signal that comes first waits for it."""
        self._call("signalTask", body={"signal": name, "data": data, **body})

    def _call(self, operation: str, **arguments: Any) -> Any:
        return self._waybill.call(operation, path={"id": self.id}, **arguments)
