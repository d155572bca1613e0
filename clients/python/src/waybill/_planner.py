"""The handler of tasks that plan batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import verdicts
from ._attempt import is_coroutine
from ._generated import ClaimedTask
from .asynchronous import AsyncWaybill
from .batches import Plan
from .errors import Failure, WaybillError
from .run import AsyncRun
from .verdicts import Verdict

#: Gets the task, the plan to add tasks to, and the run. Given the same task, it must add the same tasks in the same order.
Planner = Callable[[ClaimedTask, Plan, Any], Any]

_OPEN = frozenset({"running", "completed", "failed", "reporting"})


class PlannerHandler:
    """Adds all tasks and opens the batch once the planner has returned. If its worker dies, another one begins again."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    async def __call__(self, task: ClaimedTask, run: AsyncRun) -> Verdict:
        batch = task.get("plans")
        if batch is None:
            raise Failure(
                f"Expected a task that plans a batch, but '{task['taskId']}' plans none: create it with its batch"
            )
        if await _is_planned(run.waybill, batch):
            return verdicts.succeed()
        plan = Plan(batch)
        result = await self._run(task, plan, run)
        try:
            await run.waybill._run(plan.fill(run.waybill.config))
        except WaybillError:
            if not await _is_planned(run.waybill, batch):
                raise
        return verdicts.verdict_of(result)

    async def _run(self, task: ClaimedTask, plan: Plan, run: AsyncRun) -> Any:
        if is_coroutine(self._planner):
            return await self._planner(task, plan, run)
        return await run.in_thread(lambda task, run: self._planner(task, plan, run), task)


async def _is_planned(waybill: AsyncWaybill, batch: str) -> bool:
    """Whether an earlier attempt has opened the batch."""
    view = await waybill.call("getBatch", path={"id": batch})
    return view["error"] is None and view["state"] in _OPEN
