"""Client and worker for Waybill, the work queue that records everything that happened to each task.

>>> with Waybill("http://localhost:3000") as waybill:
...     task = waybill.queue("mail").enqueue({"to": "ann@example.org"})
...     print(task.result(timeout=10))
"""

from ._calls import Retries
from ._flows import derived_id
from .asynchronous import AsyncQueue, AsyncTask, AsyncWaybill
from .batches import AsyncBatch, AsyncBatchPlan, Batch, BatchPlan, Plan, PlannedTask
from .errors import BatchFailed, Failure, TaskFailed, TaskNotEnded, WaitTimedOut, WaybillError, WaybillUnavailable
from .functions import (
    AsyncBackgroundRun,
    AsyncFunctions,
    AsyncRunState,
    AsyncTaskFunction,
    BackgroundRun,
    Functions,
    RunState,
    TaskFunction,
)
from .resources import AsyncResource, Resource
from .run import AsyncRun, Run, Stopped, StopReason
from .synchronous import Queue, Task, Waybill
from .verdicts import Verdict
from .worker import StopReport, Worker, steps

__all__ = [
    "AsyncBackgroundRun",
    "AsyncBatch",
    "AsyncBatchPlan",
    "AsyncFunctions",
    "AsyncQueue",
    "AsyncResource",
    "AsyncRun",
    "AsyncRunState",
    "AsyncTask",
    "AsyncTaskFunction",
    "AsyncWaybill",
    "BackgroundRun",
    "Batch",
    "BatchFailed",
    "BatchPlan",
    "Failure",
    "Functions",
    "Plan",
    "PlannedTask",
    "Queue",
    "Resource",
    "Retries",
    "Run",
    "RunState",
    "StopReason",
    "StopReport",
    "Stopped",
    "Task",
    "TaskFailed",
    "TaskFunction",
    "TaskNotEnded",
    "Verdict",
    "WaitTimedOut",
    "Waybill",
    "WaybillError",
    "WaybillUnavailable",
    "Worker",
    "derived_id",
    "steps",
]
