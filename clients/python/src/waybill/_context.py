"""The event within which code runs: the claim of the task whose function it is."""

from __future__ import annotations

from contextvars import ContextVar

#: What is submitted within it, however deeply, has the event as its context.
current_event: ContextVar[str | None] = ContextVar("waybill.current_event", default=None)
