from __future__ import annotations

import asyncio
from typing import Any

import pytest
from conftest import Running

from waybill import AsyncWaybill, BatchFailed, Plan, Queue, RunState, Waybill, WaybillError, Worker, derived_id


def test_a_derived_id_is_that_of_the_other_clients() -> None:
    assert derived_id("batch b1", "0") == "69d98750-822b-8ce8-a55d-c1c83b72b3d6"


def test_a_batch_runs_as_a_whole_in_the_order_of_its_plan(
    url: str, waybill: Waybill, queue: Queue, running: Running
) -> None:
    functions = waybill.functions(queue.name)

    @functions.task("numbers:double")
    def double(id: str, run: RunState, number: int) -> int:
        return 2 * number

    plan = waybill.plan_batch("ingest", labels={"site": "paris"})
    first = plan.add(double, [1], priority=2)
    plan.add(queue.name, [2], kind="numbers:double", after=[first])
    assert [(node["kind"], node["payload"], node["after"]) for node in plan.graph()] == [
        ("numbers:double", [1], []),
        ("numbers:double", [2], [0]),
    ]
    batch = plan.submit()
    assert plan.submit().id == batch.id
    running(Worker(url).handle(functions))
    done = batch.done(timeout=60)
    assert (done["state"], done["total"], done["succeeded"]) == ("completed", 2, 2)


def test_a_batch_that_does_not_end_in_time_or_ends_otherwise_says_so(waybill: Waybill, queue: Queue) -> None:
    plan = waybill.plan_batch("ingest")
    plan.add(queue.name)
    batch = plan.submit()
    with pytest.raises(TimeoutError, match="'ingest' to end within 0.2 s, but it is running"):
        batch.done(timeout=0.2)
    batch.command("abortBatch", reason="The tape is lost")
    with pytest.raises(BatchFailed, match="but it is aborted"):
        batch.done(timeout=30)


def test_a_refused_task_refuses_the_plan(waybill: Waybill, queue: Queue) -> None:
    plan = waybill.plan_batch("ingest")
    plan.add(queue.name)
    plan.add("no-such-queue")
    with pytest.raises(WaybillError, match="no-such-queue"):
        plan.submit()
    stranger = waybill.plan_batch("other").add(queue.name)
    with pytest.raises(ValueError, match="of the same plan"):
        plan.add(queue.name, after=[stranger])


def test_a_task_plans_a_batch(url: str, waybill: Waybill, queue: Queue, running: Running) -> None:
    worker = Worker(url).handle(queue.name, lambda task, run: task["payload"])
    submissions = waybill.queue(f"{queue.name}-s")
    submissions.define()

    @worker.planner(submissions.name)
    def plan(task: Any, plan: Plan, run: Any) -> None:
        for file in task["payload"]:
            plan.add(queue.name, file)

    running(worker)
    batch = waybill.create_batch("maps", plan={"queue": submissions.name, "payload": ["a", "b"]})
    assert batch.done(timeout=60)["total"] == 2


def test_an_event_loop_has_the_same_batches(url: str, queue: Queue) -> None:
    async def program() -> None:
        async with AsyncWaybill(url) as waybill:
            plan = waybill.plan_batch("ingest")
            plan.add(queue.name, 1)
            batch = await plan.submit()
            done = asyncio.create_task(batch.done(timeout=60))
            worker = Worker(url).handle(queue.name, lambda task, run: None)
            serving = asyncio.create_task(worker.serve())
            assert (await done)["state"] == "completed"
            worker.stop()
            await serving

    asyncio.run(program())


def test_a_resource_is_defined_and_measured_by_a_worker(
    url: str, waybill: Waybill, queue: Queue, running: Running
) -> None:
    disk, licences = waybill.resource(f"disk-{queue.name}"), waybill.resource(f"licences-{queue.name}")
    disk.define(unit="%", staleAfterSeconds=60)
    licences.define()
    licences.measure(9)
    needs = [{"resource": disk.name, "below": 101}, {"resource": licences.name, "below": 3}]
    queue.define({"steps": [{"name": "fetch", "needs": needs}]}, replace=True)
    task = queue.enqueue({})

    class InUse:
        async def __call__(self) -> int:
            return 2

    worker = Worker(url).handle(queue.name, lambda task, run: run.done())
    running(worker.watch_disk(disk.name, "/").watch(licences.name, InUse(), every=0.5))
    task.result(timeout=30)
    assert licences.get()["value"] == 2
    shown = disk.get()["value"]
    assert shown is not None and 0 <= shown <= 100
    with pytest.raises(WaybillError, match="RESOURCE_NEEDED|need"):
        disk.delete()
