"""The client for programs with an event loop of asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import _flows
from ._calls import Config, Flow, Retries, call
from ._direct import DirectRuns
from ._drivers import run_async
from ._generated import EnqueueResult, EventList, QueueView, RefusedItem, TaskDetails, TaskExplanation, TaskSubmission
from ._settings import config_of
from .batches import AsyncBatch, AsyncBatchPlan
from .functions import AsyncFunctions
from .resources import AsyncResource

T = TypeVar("T")


class AsyncWaybill:
    """A connection to the service, for one actor, within one event loop."""

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
        self._http = httpx.AsyncClient(base_url=url)
        self._runs = DirectRuns(self)

    async def __aenter__(self) -> AsyncWaybill:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        self._runs.close()
        await self._http.aclose()

    async def call(
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
        return await self._run(
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

    async def items(self, operation: str, *, path: Mapping[str, str] | None = None, **query: Any) -> AsyncIterator[Any]:
        """All items of a list, such as "listTasks", page by page."""
        cursor: str | None = None
        while True:
            page = await self.call(operation, path=path, query={**query, "cursor": cursor})
            for item in page["items"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def queue(self, name: str) -> AsyncQueue:
        return AsyncQueue(self, name)

    def batch(self, batch_id: str) -> AsyncBatch:
        return AsyncBatch(self, batch_id)

    def plan_batch(self, name: str, *, id: str | None = None, **about: Any) -> AsyncBatchPlan:
        """Plans a batch. With an `id` of its own, a program that plans the same batch again finds its earlier tasks.

        `about` are the members of `BatchDefinition`, such as `description` and `reportTo`.
        """
        return AsyncBatchPlan(self, name, id, about)

    async def create_batch(self, name: str, *, plan: Mapping[str, Any], **about: Any) -> AsyncBatch:
        """Creates a batch together with the task that plans it, in a queue whose worker has a planner (`Worker.planner`)."""
        batch_id = _flows.new_id()
        await self.call("createBatch", body={"name": name, "plan": plan, "id": batch_id, **about})
        return AsyncBatch(self, batch_id)

    def functions(self, queue: str) -> AsyncFunctions:
        """Makes coroutines whose calls are tasks of a queue: run here and now, or by a worker."""
        return AsyncFunctions(self, queue, self._runs)

    def resource(self, name: str) -> AsyncResource:
        return AsyncResource(self, name)

    def task(self, task_id: str) -> AsyncTask:
        return AsyncTask(self, task_id)

    async def _run(self, flow: Flow[T]) -> T:
        return await run_async(flow, self._http)


class AsyncQueue:
    """A queue by its name."""

    def __init__(self, waybill: AsyncWaybill, name: str) -> None:
        self._waybill = waybill
        self.name = name

    async def define(self, policy: Mapping[str, Any] | None = None, /, **options: Any) -> None:
        """Defines the queue with a policy. `options` are `reason`, `preset` and `replace`, as of `QueueDefinition`."""
        await self._waybill.call(
            "defineQueue", path={"queue": self.name}, body={"policy": dict(policy or {}), **options}
        )

    async def get(self) -> QueueView:
        view: QueueView = await self._waybill.call("getQueue", path={"queue": self.name})
        return view

    async def enqueue(self, payload: Any = None, /, *, idempotency_key: str | None = None, **options: Any) -> AsyncTask:
        """Adds a task. `options` are the members of `TaskSubmission`, such as `key="order-7"`, `priority=5`, `dueAt=...`.

        With a `key` that a waiting task of the queue has, the answer is that task, as the queue's policy says.
        """
        body = _flows.submission_of({"payload": payload, **options})
        outcome: EnqueueResult = await self._waybill.call(
            "enqueueTask", path={"queue": self.name}, body=body, idempotency_key=idempotency_key
        )
        return AsyncTask(self._waybill, outcome["id"], outcome)

    async def enqueue_many(self, tasks: Iterable[TaskSubmission]) -> list[EnqueueResult | RefusedItem]:
        """Adds tasks, in requests of 1,000. One result for each, in order; a refused one has a `problem`."""
        return await self._waybill._run(
            _flows.enqueue_all(self._waybill.config, [{**task, "queue": self.name} for task in tasks])
        )

    async def run(self, payload: Any = None, /, *, timeout: float | None = None, **options: Any) -> Any:
        """Adds a task and waits for its result: see `AsyncTask.result`."""
        task = await self.enqueue(payload, **options)
        return await task.result(timeout=timeout)


class AsyncTask:
    """A task by its id."""

    def __init__(self, waybill: AsyncWaybill, task_id: str, outcome: EnqueueResult | None = None) -> None:
        self._waybill = waybill
        self.id = task_id
        #: What became of the submission, if this handle comes from one: its `status` is "existing" if the key was taken.
        self.outcome = outcome

    async def get(self) -> TaskDetails:
        view: TaskDetails = await self._call("getTask")
        return view

    async def why(self) -> TaskExplanation:
        """Why the task is where it is, and what can be done."""
        explanation: TaskExplanation = await self._call("getTaskExplanation")
        return explanation

    async def history(self) -> EventList:
        """Everything that happened to the task."""
        events: EventList = await self._call("getTaskHistory")
        return events

    async def result(self, *, timeout: float | None = None) -> Any:
        """The task's result once it has succeeded.

        Raises `TaskFailed` if it ends otherwise, and `TaskNotEnded` if it has not ended within `timeout` seconds.
        """
        return await self._waybill._run(_flows.result_of(self._waybill.config, self.id, timeout))

    async def command(self, operation: str, /, **body: Any) -> Any:
        """A command by the name of its operation: `await task.command("retryTask", reason="The disk is mended")`."""
        return await self._call(operation, body=body)

    async def signal(self, name: str, data: Any = None, **body: Any) -> None:
        """Gives a waiting handler what it waits for (`run.wait_for`). A signal that comes first waits for it."""
        await self._call("signalTask", body={"signal": name, "data": data, **body})

    async def _call(self, operation: str, **arguments: Any) -> Any:
        return await self._waybill.call(operation, path={"id": self.id}, **arguments)
