from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from conftest import Running

from waybill import AsyncRun, Failure, Queue, Run, StopReport, Stopped, Task, Waybill, Worker, steps


def types_of(task: Task) -> list[str]:
    return [event["type"] for event in task.history()["items"]]


def test_a_coroutine_runs_tasks_as_a_function_does(url: str, queue: Queue, running: Running) -> None:
    async def double(task: Any, run: AsyncRun) -> int:
        await asyncio.sleep(0)
        return int(task["payload"]) * 2

    running(Worker(url, name="py-1").handle(queue.name, double))

    task = queue.enqueue(4)
    assert task.result(timeout=30) == 8
    claimed = task.history()["items"][1]
    assert (claimed["type"], claimed["envelope"]["actor"]) == ("TaskClaimed", "py-1")


def test_an_exception_fails_the_attempt_with_its_message_and_stack(url: str, queue: Queue, running: Running) -> None:
    def break_down(task: Any, run: Run) -> None:
        raise KeyError("order")

    running(Worker(url).handle(queue.name, break_down))

    task = queue.enqueue({})
    with pytest.raises(Exception, match="'order'"):
        task.result(timeout=30)
    error = task.get()["error"]
    assert error is not None and "break_down" in str(error["details"])


def test_a_failure_says_its_class_and_that_it_is_final(url: str, queue: Queue, running: Running) -> None:
    def refuse(task: Any, run: Run) -> None:
        raise Failure("no such customer", error_class="business", final=True, details={"customer": 7})

    running(Worker(url).handle(queue.name, refuse))

    task = queue.enqueue({})
    with pytest.raises(Exception, match="business: no such customer"):
        task.result(timeout=30)
    assert task.get()["attempt"] == 1


def test_steps_run_one_after_the_other_and_pass_data_on(url: str, queue: Queue, running: Running) -> None:
    async def fetch(task: Any, run: AsyncRun) -> Any:
        return run.done(data={"bytes": 12})

    def store(task: Any, run: Run) -> str:
        return f"stored {task['data']['bytes']}"

    queue.define({"steps": ["fetch", "store"]}, replace=True)
    running(Worker(url).handle(queue.name, steps({"fetch": fetch, "store": store})))

    task = queue.enqueue({}, steps=["fetch", "store"])
    assert task.result(timeout=30) == "stored 12"
    assert [name for name in types_of(task) if "Step" in name] == ["TaskStepCompleted", "TaskStepCompleted"]


def test_a_step_that_fails_is_where_the_task_goes_on(url: str, queue: Queue, running: Running) -> None:
    fetched, stored = [], []

    def fetch(task: Any, run: Run) -> None:
        fetched.append(task["attempt"])

    def store(task: Any, run: Run) -> None:
        stored.append(task["attempt"])
        if len(stored) == 1:
            raise Failure("disk full", error_class="transient")

    queue.define({"steps": ["fetch", "store"], "onFailure": "retry", "retry": {"backoff": {"baseMs": 1}}}, replace=True)
    running(Worker(url).handle(queue.name, steps({"fetch": fetch, "store": store})))

    queue.enqueue({}, steps=["fetch", "store"]).result(timeout=30)
    assert (fetched, stored) == ([1], [1, 2])


@pytest.mark.parametrize("kind", ["coroutine", "function"])
def test_a_cancelled_task_stops_its_handler_and_is_confirmed(
    url: str, queue: Queue, running: Running, kind: str
) -> None:
    begun = threading.Event()

    async def wait(task: Any, run: AsyncRun) -> None:
        begun.set()
        await asyncio.sleep(600)

    def work(task: Any, run: Run) -> None:
        begun.set()
        pause = threading.Event()
        while True:
            pause.wait(0.01)
            run.check()

    handler: Any = wait if kind == "coroutine" else work
    running(Worker(url, lease=1).handle(queue.name, handler))
    task = queue.enqueue({})
    assert begun.wait(30)

    task.command("cancelTask", reason="wrong file")
    with pytest.raises(Exception, match="it is cancelled"):
        task.result(timeout=30)


def test_heartbeats_keep_a_task_longer_than_its_lease(url: str, queue: Queue, running: Running) -> None:
    def work(task: Any, run: Run) -> int:
        threading.Event().wait(2.5)
        return run.attempt

    running(Worker(url, lease=1).handle(queue.name, work))

    assert queue.run({}, timeout=30) == 1


def test_a_worker_that_stops_gives_back_what_it_did_not_finish(url: str, queue: Queue) -> None:
    begun = threading.Event()

    async def wait(task: Any, run: AsyncRun) -> None:
        begun.set()
        await asyncio.sleep(600)

    worker = Worker(url, concurrency=1, grace=1).handle(queue.name, wait)
    reports: list[StopReport] = []
    thread = threading.Thread(target=lambda: reports.append(worker.run()))
    thread.start()
    task = queue.enqueue({})
    assert begun.wait(30)
    worker.stop()
    thread.join(30)

    assert reports == [StopReport(returned=[task.id], abandoned=[])]
    assert task.get()["state"] == "pending"


def test_a_worker_that_stops_lets_a_handler_finish(url: str, queue: Queue) -> None:
    begun = threading.Event()

    def work(task: Any, run: Run) -> str | None:
        begun.set()
        while not run.stopping:
            threading.Event().wait(0.01)
        return run.stop_reason

    worker = Worker(url, grace=20).handle(queue.name, work)
    thread = threading.Thread(target=worker.run)
    thread.start()
    task = queue.enqueue({})
    assert begun.wait(30)
    worker.stop()
    thread.join(30)

    assert task.get()["state"] == "succeeded"
    assert task.result(timeout=0) is None


def test_a_handler_waits_for_a_signal_without_a_worker(url: str, queue: Queue, running: Running) -> None:
    runs = []

    def ask(task: Any, run: Run) -> Any:
        runs.append(run.attempt)
        return run.wait_for("approved", timeout=3600)

    running(Worker(url).handle(queue.name, ask))
    task = queue.enqueue({})
    task.signal("approved", {"by": "ann"})

    assert task.result(timeout=30) == {"by": "ann"}


def test_what_a_handler_says_is_in_the_log_of_the_task(
    url: str, waybill: Waybill, queue: Queue, running: Running
) -> None:
    async def work(task: Any, run: AsyncRun) -> None:
        run.log("charged", fields={"order": 7})
        run.progress("files", position=1, end=2)

    running(Worker(url).handle(queue.name, work))
    task = queue.enqueue({})
    task.result(timeout=30)

    lines = waybill.call("getTaskLog", path={"id": task.id})["items"]
    assert [(line["text"], line["fields"]) for line in lines] == [("charged", {"order": 7})]


def test_an_outcome_that_is_no_json_fails_as_a_bug(url: str, queue: Queue, running: Running) -> None:
    running(Worker(url).handle(queue.name, lambda task, run: object()))

    with pytest.raises(Exception, match="bug: Expected the handler to report JSON"):
        queue.run({}, timeout=30)


def test_stopped_is_not_caught_by_a_handler_that_catches_every_exception() -> None:
    assert not issubclass(Stopped, Exception)
