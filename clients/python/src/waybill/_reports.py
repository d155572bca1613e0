"""What a handler shows and says meanwhile, until a heartbeat takes it to the service."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from ._generated import ProgressBar, TaskLogLine
from .verdicts import IllegalVerdict

LogLevel = Literal["debug", "info", "warn", "error"]

#: The service's limits. It would refuse the heartbeats of all tasks that come with something beyond them.
_BARS, _TITLE, _LINES, _TEXT, _FIELDS = 50, 200, 100, 4_096, 4_096
#: While the service does not answer, the newest lines wait for it. It keeps no more of a task.
_UNSENT = 1_000


class Reports:
    """Of one attempt. Handlers in threads use it, too."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._bars: dict[str, ProgressBar] = {}
        self._unsent: list[TaskLogLine] = []
        self._count = 0
        self._lock = threading.Lock()
        self._changed = changed
        self.pending = False

    def progress(self, title: str, start: float, end: float, position: float) -> None:
        if not 1 <= len(title) <= _TITLE:
            raise IllegalVerdict(
                f"Expected the title of a progress bar to have 1 to {_TITLE} characters, but got {len(title)}"
            )
        for name, value in (("start", start), ("end", end), ("position", position)):
            if not math.isfinite(value) or abs(value) >= 2**53:
                raise IllegalVerdict(
                    f"Expected the {name} of a progress bar to be a number up to 2^53 - 1, but got {value!r}"
                )
        with self._lock:
            if title not in self._bars and len(self._bars) == _BARS:
                raise IllegalVerdict(f"Expected at most {_BARS} progress bars per task, but '{title}' is one more")
            self._bars[title] = {"title": title, "start": start, "end": end, "position": position}
        self._tell()

    def log(self, text: str, level: LogLevel, fields: Mapping[str, Any] | None) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._lock:
            self._count += 1
            line: TaskLogLine = {"number": self._count, "at": at, "level": level, "text": _cut(str(text))}
            if fields is not None:
                line["fields"] = _fitting(fields)
            self._unsent = [*self._unsent, line][-_UNSENT:]
        self._tell()

    def next(self) -> dict[str, Any]:
        """The members of the next heartbeat."""
        with self._lock:
            bars, lines = list(self._bars.values()), self._unsent[:_LINES]
            self.pending = False
        return {**({"progress": bars} if bars else {}), **({"log": lines} if lines else {})}

    def answered(self, sent: Mapping[str, Any]) -> None:
        """The service has these lines."""
        lines = sent.get("log", [])
        up_to = lines[-1]["number"] if lines else 0
        with self._lock:
            self._unsent = [line for line in self._unsent if line["number"] > up_to]
            self.pending = self.pending or bool(self._unsent)

    def _tell(self) -> None:
        self.pending = True
        self._changed()


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


def _fitting(fields: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON has them; the beginning of their text if they are too large: a line of a log fails no task."""
    text = json.dumps(dict(fields), default=str)
    if len(text.encode()) <= _FIELDS:
        kept: dict[str, Any] = json.loads(text)
        return kept
    return {"cut": text[: _FIELDS // 4]}
