"""What calls and handlers raise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ._generated import BatchView, Problem, TaskResult

ErrorClass = Literal["business", "application", "transient", "bug"]

# The members of a problem that are no facts of the refusal (RFC 9457).
_FRAME = frozenset({"type", "title", "status", "detail", "instance", "code", "traceId", "errors"})


class WaybillError(Exception):
    """The service refused. Branch on `code`; `data` has the facts of the refusal."""

    def __init__(self, problem: Problem, retry_after: float | None = None) -> None:
        super().__init__(_message_of(problem))
        self.problem = problem
        self.code = problem["code"]
        self.status = problem["status"]
        self.detail = problem["detail"]
        self.errors = problem.get("errors", [])
        #: Identifies the request in the service's logs.
        self.trace_id = problem.get("traceId")
        self.data: Mapping[str, Any] = {name: value for name, value in problem.items() if name not in _FRAME}
        #: How many seconds the service asks you to wait; None if it did not say.
        self.retry_after = retry_after


def _message_of(problem: Problem) -> str:
    errors = [f"{each['pointer']}: {each['detail']}".removeprefix(": ") for each in problem.get("errors", [])]
    told = bool(errors) and problem["detail"].endswith(problem["errors"][0]["detail"])
    return "\n".join(errors if told else [problem["detail"] or problem["title"], *errors])


class WaybillUnavailable(Exception):
    """The service gave no usable answer, even after all retries.

    `outcome` is "not-done" if the command was certainly not carried out, and "unknown" if it may have been.
    """

    def __init__(
        self, operation: str, outcome: Literal["unknown", "not-done"], attempts: int, cause: Exception
    ) -> None:
        ending = "its outcome is unknown" if outcome == "unknown" else "nothing was done"
        super().__init__(f"Expected an answer to '{operation}', but after {attempts} attempt(s) {ending}: {cause}")
        self.operation = operation
        self.outcome = outcome
        self.attempts = attempts
        self.cause = cause


class TaskFailed(Exception):
    """The task ended without success. Its last failure is in `task["error"]`."""

    def __init__(self, task: TaskResult) -> None:
        error = task["error"]
        why = "" if error is None else f": {error['class']}: {error['message']}"
        super().__init__(
            f"Expected task '{task['task']}' of queue '{task['queue']}' to succeed, but it is {task['state']}{why}"
        )
        self.task = task


class TaskNotEnded(Exception):
    """The task did not end in time. It goes on, and how it ends is unknown."""

    def __init__(self, task: TaskResult, timeout: float) -> None:
        super().__init__(
            f"Expected task '{task['task']}' of queue '{task['queue']}' to end within {timeout:g} s, "
            f"but it is still {task['state']}: its outcome is unknown"
        )
        self.task = task


class BatchFailed(Exception):
    """The batch ended without being completed."""

    def __init__(self, batch: BatchView) -> None:
        counted = f"of {batch['total']} tasks {batch['succeeded']} succeeded and {batch['failed']} failed"
        super().__init__(
            f"Expected batch '{batch['name']}' to be completed, but it is {batch['state']}: {batch['error'] or counted}"
        )
        self.batch = batch


class Failure(Exception):
    """Raised by a handler to fail its attempt with a class, and details for the history.

    `final`: never retried, whatever the queue's policy says.
    """

    def __init__(
        self, message: str, *, error_class: ErrorClass = "application", final: bool = False, details: Any = None
    ) -> None:
        super().__init__(message)
        self.error_class: ErrorClass = error_class
        self.final = final
        self.details = details


class WaitTimedOut(Failure):
    """Nobody signalled the task in time. If the handler lets it through, the task fails, and is not retried by itself."""

    def __init__(self, signal: str, timeout: float) -> None:
        super().__init__(
            f"Expected the signal '{signal}' within {timeout:g} s, but it did not come",
            error_class="business",
            final=True,
        )
        self.signal = signal
