"""The outcomes of tasks, as handlers return them."""

from __future__ import annotations

import json
import re
import traceback
from dataclasses import dataclass, field
from typing import Any

from ._generated import ErrorReport
from .errors import ErrorClass, Failure, WaybillError

ERROR_CLASSES: tuple[ErrorClass, ...] = ("business", "application", "transient", "bug")

#: The service's limits: of a message, of details, and of a delay.
_MESSAGE, _STACK, LONGEST_DELAY = 32_768, 16_384, 366 * 86_400.0

_CUT = f"\n… cut at {_MESSAGE} characters"
#: NUL and lone surrogates, which the service cannot store.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class IllegalVerdict(Failure):
    """The handler reported something that cannot be recorded: a bug in its code, which would do the same again."""

    def __init__(self, message: str) -> None:
        super().__init__(message, error_class="bug", final=True)


@dataclass(frozen=True)
class Verdict:
    """The outcome of an attempt, made by the methods of `Run`. None: the service already knows, or must not be told."""

    settlement: dict[str, Any] | None
    #: The value itself, of a success.
    returned: Any = field(default=None, compare=False)


def succeed(result: Any = None) -> Verdict:
    return Verdict({"type": "succeed", **({} if result is None else {"result": sendable(result)})}, result)


def fail(error_class: ErrorClass, message: str, final: bool, details: Any) -> Verdict:
    if error_class not in ERROR_CLASSES:
        raise IllegalVerdict(f"Expected an error class of {', '.join(ERROR_CLASSES)}, but got '{error_class}'")
    error = {
        "message": fitting(message),
        "class": error_class,
        **({} if details is None else {"details": sendable(details)}),
    }
    return Verdict({"type": "fail", "error": error, **({"final": True} if final else {})})


def retry_later(seconds: float, message: str) -> Verdict:
    error = {"message": fitting(message), "class": "transient"}
    return Verdict({"type": "fail", "error": error, "retryAfterMs": milliseconds(seconds)})


def milliseconds(seconds: float, least: float = 0.0) -> int:
    if isinstance(seconds, (int, float)) and least <= seconds <= LONGEST_DELAY:
        return round(seconds * 1000)
    raise IllegalVerdict(f"Expected a time of {least:g} to {LONGEST_DELAY:g} seconds, but got {seconds!r}")


def verdict_of(returned: Any) -> Verdict:
    """A plain value is the result of a success."""
    return returned if isinstance(returned, Verdict) else succeed(returned)


def failure_of(error: BaseException) -> Verdict:
    return Verdict(
        {
            "type": "fail",
            "error": report_of(error),
            **({"final": True} if getattr(error, "final", False) is True else {}),
        }
    )


def report_of(error: BaseException) -> ErrorReport:
    """An error in the form that the service records. It classifies one that is no `Failure`."""
    report: ErrorReport = {"message": fitting(str(error) or type(error).__name__)}
    if isinstance(error, Failure):
        report["class"] = error.error_class
        if error.details is not None:
            report["details"] = sendable(error.details)
            return report
    report["details"] = {"stack": _stack_of(error)}
    return report


def failure_instead_of(settlement: dict[str, Any], refusal: WaybillError) -> dict[str, Any]:
    """What to report in place of a refused outcome. It is final: the handler has done its work, and would report the same again."""
    words = f"Expected to settle as '{settlement['type']}', but {refusal.code}: {refusal}"
    if settlement["type"] == "fail":
        error = settlement["error"]
        kept = {
            "message": fitting(f"{error['message']}\n{words}"),
            **({"class": error["class"]} if "class" in error else {}),
        }
        return {"type": "fail", "error": kept, **({"final": settlement["final"]} if "final" in settlement else {})}
    # What is too large is no bug of the handler: it depends on the task.
    blame = "business" if refusal.status == 413 else "bug"
    undone = settlement["type"] in ("return", "wait") and refusal.code == "HISTORY_FULL"
    return {"type": "fail", "final": not undone, "error": {"message": fitting(words), "class": blame}}


def sendable(value: Any) -> Any:
    """The value as it is now, in plain data. Raises if it cannot be sent, which would spoil the whole batch."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise IllegalVerdict(f"Expected the handler to report JSON, but: {error}") from error


def fitting(message: str) -> str:
    """The message in a form that the service accepts: cut, and with a mark for each character that cannot be stored."""
    # The service counts UTF-16 units, as JavaScript does.
    units = message.encode("utf-16-le", "surrogatepass")
    if len(units) > 2 * _MESSAGE:
        message = units[: 2 * (_MESSAGE - len(_CUT))].decode("utf-16-le", "surrogatepass") + _CUT
    return _UNSTORABLE.sub("\ufffd", message) or "unknown"


def _stack_of(error: BaseException) -> str:
    stack = _UNSTORABLE.sub("\ufffd", "".join(traceback.format_exception(error)))
    return stack if len(stack) <= _STACK else f"…{stack[-_STACK:]}"
