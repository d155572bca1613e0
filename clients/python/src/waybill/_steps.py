"""The steps of one attempt, one after the other under one claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import verdicts
from ._attempt import Handler, is_coroutine
from ._generated import ClaimedTask, Settlement
from .run import AsyncRun
from .verdicts import IllegalVerdict, Verdict


class StepsHandler:
    """A coroutine handler of tasks that are at one of `steps`. Its own handlers may be coroutines or plain functions."""

    def __init__(self, handlers: Mapping[str, Handler]) -> None:
        if not handlers:
            raise ValueError("Expected a handler of at least one step, but got none")
        self._handlers = dict(handlers)
        self.steps = tuple(handlers)

    async def __call__(self, task: ClaimedTask, run: AsyncRun) -> Verdict:
        data = dict(task["data"])

        async def tell(settlement: dict[str, Any]) -> Settlement:
            if settlement["type"] == "completeStep":
                raise IllegalVerdict(
                    "Expected the handler of a step to return run.done(), but it called run.complete_step()"
                )
            told = await run.tell(settlement)
            if settlement["type"] == "record":
                _change(data, settlement["data"])
            return told

        while True:
            verdict = verdicts.verdict_of(await self._run_step(task, run.at(task, tell)))
            completed = _completion_of(task, verdict)
            following = _step_after(task)
            if completed is None or following is None:
                return verdict
            if following not in self._handlers or run.stopping:
                return Verdict({**completed, "then": "offer"})
            told = await run.tell({**completed, "then": "continue"})
            _change(data, completed.get("data", {}))
            task = task.copy()
            task["step"], task["lastSuccessfulStep"] = told.get("step"), told.get("lastSuccessfulStep")
            task["data"] = dict(data)

    async def _run_step(self, task: ClaimedTask, run: AsyncRun) -> Any:
        step = task["step"]
        handler = self._handlers.get(step or "")
        if handler is None:
            at = "none" if step is None else f"'{step}'"
            raise IllegalVerdict(
                f"Expected task '{task['taskId']}' to be at one of the steps {', '.join(self.steps)}, but it is at {at}"
            )
        if is_coroutine(handler):
            return await handler(task, run)
        return await run.in_thread(handler, task)


def _completion_of(task: ClaimedTask, verdict: Verdict) -> dict[str, Any] | None:
    settlement = verdict.settlement
    if settlement is None or settlement["type"] == "completeStep":
        return settlement
    if settlement["type"] != "succeed":
        return None
    result = {"result": settlement["result"]} if "result" in settlement else {}
    return {"type": "completeStep", "step": task["step"], "then": "continue", **result}


def _step_after(task: ClaimedTask) -> str | None:
    names = task.get("steps", [])
    at = names.index(task["step"]) if task["step"] in names else len(names)
    return names[at + 1] if at + 1 < len(names) else None


def _change(data: dict[str, Any], patch: Mapping[str, Any]) -> None:
    """As the service merges them: a member takes the place of the one of the same name, and null removes it."""
    for name, value in patch.items():
        if value is None:
            data.pop(name, None)
        else:
            data[name] = value
