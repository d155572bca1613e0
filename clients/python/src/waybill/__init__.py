"""Client and worker for Waybill, the work queue that records everything that happened to each task.

>>> with Waybill("http://localhost:3000") as waybill:
...     task = waybill.queue("mail").enqueue({"to": "ann@example.org"})
...     print(task.result(timeout=10))
"""

from ._calls import Retries
from .asynchronous import AsyncQueue, AsyncTask, AsyncWaybill
from .errors import Failure, TaskFailed, TaskNotEnded, WaitTimedOut, WaybillError, WaybillUnavailable
from .run import AsyncRun, Run, Stopped, StopReason
from .synchronous import Queue, Task, Waybill
from .verdicts import Verdict
from .worker import StopReport, Worker, steps

__all__ = [
    "AsyncQueue",
    "AsyncRun",
    "AsyncTask",
    "AsyncWaybill",
    "Failure",
    "Queue",
    "Retries",
    "Run",
    "StopReason",
    "StopReport",
    "Stopped",
    "Task",
    "TaskFailed",
    "TaskNotEnded",
    "Verdict",
    "WaitTimedOut",
    "Waybill",
    "WaybillError",
    "WaybillUnavailable",
    "Worker",
    "steps",
]
