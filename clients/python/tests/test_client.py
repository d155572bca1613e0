from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from conftest import Running

from waybill import (
    AsyncWaybill,
    Queue,
    Retries,
    TaskFailed,
    TaskNotEnded,
    Waybill,
    WaybillError,
    WaybillUnavailable,
    Worker,
)


def test_a_task_that_is_enqueued_is_there_with_its_payload(waybill: Waybill, queue: Queue) -> None:
    task = queue.enqueue({"to": "ann@example.org"}, key="order-7", labels={"site": "paris"})

    details = task.get()
    assert (details["state"], details["key"], details["labels"]) == ("pending", "order-7", {"site": "paris"})
    assert waybill.call("getTaskPayload", path={"id": task.id})["payload"] == {"to": "ann@example.org"}
    assert [event["type"] for event in task.history()["items"]] == ["TaskEnqueued"]


def test_a_key_that_waits_gives_the_task_that_waits(queue: Queue) -> None:
    first, second = queue.enqueue(1, key="k"), queue.enqueue(2, key="k")

    assert second.id == first.id
    assert second.outcome is not None and second.outcome["status"] == "existing"


def test_many_tasks_go_in_as_few_requests_as_the_service_takes(waybill: Waybill, queue: Queue) -> None:
    results: list[Any] = queue.enqueue_many([{"payload": n} for n in range(1_001)])

    assert len({result["id"] for result in results}) == 1_001
    listed = [task["id"] for task in waybill.items("listTasks", queue=queue.name, limit=500)]
    assert len(listed) == 1_001


def test_one_bad_task_affects_no_other(queue: Queue) -> None:
    queue.enqueue({}, id=(taken := str(uuid.uuid4())))
    results: list[Any] = queue.enqueue_many([{"payload": 1}, {"payload": 2, "id": taken}])

    assert "id" in results[0]
    assert "problem" in results[1] and results[1]["problem"]["code"] == "TASK_EXISTS"


def test_a_refusal_has_its_code_and_says_what_to_do(queue: Queue) -> None:
    with pytest.raises(WaybillError) as refused:
        queue.enqueue({}, priorty=5)

    assert (refused.value.code, refused.value.status) == ("INVALID_INPUT", 400)
    assert "priorty" in str(refused.value)


def test_a_service_that_cannot_be_reached_did_nothing() -> None:
    with Waybill("http://127.0.0.1:9", retries=Retries(attempts=2, base=0.01)) as nowhere:
        with pytest.raises(WaybillUnavailable) as lost:
            nowhere.queue("mail").enqueue({})

    assert (lost.value.outcome, lost.value.attempts) == ("not-done", 2)


def test_the_result_of_a_task_arrives_as_soon_as_it_has_ended(url: str, queue: Queue, running: Running) -> None:
    running(Worker(url).handle(queue.name, lambda task, run: task["payload"] * 2))

    assert queue.run(21, timeout=30) == 42


def test_a_task_that_fails_raises_its_failure(url: str, queue: Queue, running: Running) -> None:
    running(Worker(url).handle(queue.name, lambda task, run: run.fail("business", "no money", final=True)))

    with pytest.raises(TaskFailed) as failed:
        queue.run({}, timeout=30)
    assert failed.value.task["error"] is not None and failed.value.task["error"]["message"] == "no money"


def test_a_task_that_nobody_runs_has_not_ended(queue: Queue) -> None:
    with pytest.raises(TaskNotEnded):
        queue.run({}, timeout=0.1)


def test_an_event_loop_has_the_same_client(url: str, queue: Queue) -> None:
    async def enqueue() -> list[str]:
        async with AsyncWaybill(url, actor="loop") as waybill:
            tasks = await asyncio.gather(*(waybill.queue(queue.name).enqueue(n) for n in range(3)))
            events = [await task.history() for task in tasks]
            return [event["items"][0]["envelope"]["actor"] for event in events]

    assert asyncio.run(enqueue()) == ["loop"] * 3


def test_a_name_beyond_ascii_is_recorded_as_it_is(url: str, queue: Queue) -> None:
    with Waybill(url, actor="Zoë") as waybill:
        task = waybill.queue(queue.name).enqueue({})

        assert task.history()["items"][0]["envelope"]["actor"] == "Zoë"
