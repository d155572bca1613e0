from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from conftest import Running

from waybill import AsyncRunState, AsyncWaybill, Functions, Queue, RunState, Stopped, Task, Waybill, Worker


@pytest.fixture
def functions(waybill: Waybill, queue: Queue) -> Functions:
    queue.define({"onFailure": "fail", "leaseMs": 3_000}, replace=True)
    return waybill.functions(queue.name)


def only_task(waybill: Waybill, functions: Functions) -> Task:
    (found,) = waybill.items("listTasks", queue=functions.queue)
    return waybill.task(found["id"])


def types_of(task: Task) -> list[str]:
    return [event["type"] for event in task.history()["items"]]


def test_a_function_gets_the_id_of_its_task_and_its_run_in_front_of_its_arguments(
    waybill: Waybill, functions: Functions
) -> None:
    seen: list[Any] = []

    @functions.task("links:make")
    def link(id: str, run: RunState, source: str, to: str = "/out") -> tuple[str, str]:
        seen.extend([id, run, threading.current_thread()])
        return source, to

    assert link(source="/in") == ("/in", "/out")
    task = only_task(waybill, functions)
    id, run, thread = seen
    assert (id, thread) == (task.id, threading.current_thread())
    assert (run.attempt, run.cancelled) == (1, False)
    assert run.started_at <= run.stopped_at
    details = task.get()
    assert (details["state"], details["kind"], details["result"]) == ("succeeded", "links:make", ["/in", "/out"])
    assert waybill.call("getTaskPayload", path={"id": task.id})["payload"] == ["/in"]


def test_a_call_leaves_the_record_that_a_worker_would(
    url: str, waybill: Waybill, functions: Functions, running: Running
) -> None:
    states: list[str] = []

    @functions.task("numbers:double")
    def double(id: str, run: RunState, number: int) -> int:
        states.append(waybill.task(id).get()["state"])
        return 2 * number

    assert double(21) == 42
    called = only_task(waybill, functions)
    assert states == ["running"]

    applied = double.apply([4], priority=3)
    running(Worker(url).handle(functions))
    assert applied.result(timeout=30) == 8
    assert applied.get()["priority"] == 3
    assert types_of(applied) == types_of(called)


def test_a_call_raises_what_the_function_raises_which_is_recorded(waybill: Waybill, functions: Functions) -> None:
    error = ValueError("the tape is full")

    @functions.task("tape:store")
    def store(id: str, run: RunState) -> None:
        raise error

    with pytest.raises(ValueError) as raised:
        store()
    assert raised.value is error
    details = only_task(waybill, functions).get()
    assert details["state"] == "failed"
    assert details["error"] is not None and details["error"]["message"] == "the tape is full"


def test_a_call_is_applied_deferred_or_run_in_the_background(waybill: Waybill, functions: Functions) -> None:
    let = threading.Event()

    @functions.task("echo:say")
    def echo(id: str, run: RunState, words: str) -> str:
        let.wait(30)
        return words

    background = echo.background("aside")
    assert waybill.task(background.id).get()["state"] == "running"
    applied = echo.apply(["queued"])
    deferred = echo.defer(datetime.now(timezone.utc) + timedelta(days=9), ["later"], after=[applied])
    let.set()
    assert background.result(30) == "aside"
    assert waybill.task(background.id).get()["result"] == "aside"
    assert applied.get()["state"] == "pending"
    assert deferred.get()["state"] == "pending"
    assert deferred.get()["waitingFor"] == "prerequisites"
    assert echo.defer("2999-01-01T00:00:00Z", ["later"]).get()["waitingFor"] == "due"


def test_what_a_function_calls_has_its_claim_as_context(waybill: Waybill, functions: Functions) -> None:
    @functions.task("inner:work")
    def inner(id: str, run: RunState) -> str:
        return id

    @functions.task("outer:work")
    def outer(id: str, run: RunState) -> list[str]:
        return [id, inner(), inner.apply().id]

    outer_id, *inner_ids = outer()
    (claim,) = [event["id"] for event in waybill.task(outer_id).history()["items"] if event["type"] == "TaskClaimed"]
    assert [waybill.task(id).get()["context"] for id in inner_ids] == [claim, claim]
    assert waybill.task(outer_id).get()["context"] is None


def test_a_run_that_is_cancelled_ends_cancelled_whatever_the_function_does(
    waybill: Waybill, functions: Functions
) -> None:
    begun = threading.Semaphore(0)

    @functions.task("wait:run")
    def wait(id: str, run: RunState, then: str) -> str:
        begun.release()
        while not run.cancelled:
            threading.Event().wait(0.01)
        if then == "raise":
            raise OSError("interrupted")
        if then == "check":
            run.check()
        return "done"

    for then in ("return", "raise", "check"):
        run = wait.background(then)
        begun.acquire(timeout=30)
        waybill.task(run.id).command("cancelTask", reason="enough")
        with pytest.raises(Stopped):
            run.result(30)
        assert waybill.task(run.id).get()["state"] == "cancelled"
        assert ("TaskErrorReported" in types_of(waybill.task(run.id))) == (then == "raise")


def test_a_worker_tells_its_functions_at_once_that_it_stops(url: str, functions: Functions, queue: Queue) -> None:
    begun = threading.Event()

    @functions.task("wait:run")
    def wait(id: str, run: RunState) -> None:
        begun.set()
        while True:
            run.check()
            threading.Event().wait(0.01)

    task = wait.apply()
    worker = Worker(url, grace=300).handle(functions)
    thread = threading.Thread(target=worker.run)
    thread.start()
    assert begun.wait(30)
    worker.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert task.get()["state"] == "cancelled"


def test_another_attempt_cleans_up_first(url: str, functions: Functions, running: Running) -> None:
    did: list[str] = []

    @functions.task("links:make", clean_up=lambda id, run, to: did.append(f"remove {to}"))
    def make(id: str, run: RunState, to: str) -> None:
        did.append(f"make {to}")
        if run.attempt == 1:
            raise OSError("disk full")

    with pytest.raises(OSError):
        make("/out")
    running(Worker(url).handle(functions))
    (task,) = functions._waybill.items("listTasks", queue=functions.queue)
    functions._waybill.task(task["id"]).command("retryTask")
    functions._waybill.task(task["id"]).result(timeout=30)
    assert did == ["make /out", "remove /out", "make /out"]


def test_a_task_of_a_function_that_is_not_here_goes_back(
    url: str, waybill: Waybill, queue: Queue, running: Running
) -> None:
    known = waybill.functions(queue.name)

    @known.task("known:run")
    def run(id: str, run: RunState) -> str:
        return "known"

    running(Worker(url).handle(known))
    unknown = queue.enqueue([], kind="unknown:run")
    assert run.apply().result(timeout=30) == "known"
    details = unknown.get()
    assert (details["state"], details["attempt"]) == ("pending", 0)


def test_what_is_no_call_is_refused_before_there_is_a_task(waybill: Waybill, functions: Functions) -> None:
    @functions.task("numbers:add")
    def add(id: str, run: RunState, one: int, *, other: int = 0) -> int:
        return one + other

    with pytest.raises(TypeError):
        add()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other by name"):
        add(1, other=2)
    with pytest.raises(TypeError):
        add.apply([1, 2, 3])
    with pytest.raises(ValueError, match="one function 'numbers:add'"):
        functions.task("numbers:add")(lambda id, run: None)
    assert list(waybill.items("listTasks", queue=functions.queue)) == []


PROGRAM = """
import sys
from waybill import Waybill

functions = Waybill(sys.argv[1]).functions(sys.argv[2])

@functions.task("wait:run")
def wait(id, run):
    print(id, flush=True)
    while True:
        run.check()

wait()
"""


def test_sigterm_cancels_the_run_and_then_ends_the_process(url: str, waybill: Waybill, functions: Functions) -> None:
    env = {**os.environ, "PYTHONPATH": "src"}
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, url, functions.queue], env=env, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    id = program.stdout.readline().strip()
    program.send_signal(signal.SIGTERM)

    assert program.wait(30) == -signal.SIGTERM
    assert waybill.task(id).get()["state"] == "cancelled"


def test_coroutines_are_functions_of_an_event_loop(url: str, queue: Queue) -> None:
    async def program() -> None:
        async with AsyncWaybill(url) as waybill:
            functions = waybill.functions(queue.name)
            begun = asyncio.Event()

            @functions.task("numbers:double")
            async def double(id: str, run: AsyncRunState, number: int) -> int:
                return 2 * number

            @functions.task("outer:work")
            async def outer(id: str, run: AsyncRunState) -> list[int]:
                return [await double(1), await double(2)]

            @functions.task("wait:run")
            async def wait(id: str, run: AsyncRunState) -> None:
                begun.set()
                await asyncio.Event().wait()

            assert await outer() == [2, 4]
            waiting = await wait.background()
            await begun.wait()
            await waybill.task(waiting.id).command("cancelTask")
            with pytest.raises(Stopped):
                await waiting.result()
            assert (await waybill.task(waiting.id).get())["state"] == "cancelled"

            begun.clear()
            calling = asyncio.create_task(wait())
            await begun.wait()
            calling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await calling
            applied = await double.apply([21])
            worker = Worker(url).handle(functions)
            serving = asyncio.create_task(worker.serve())
            assert await applied.result(timeout=30) == 42
            worker.stop()
            await serving
            states = [task["state"] async for task in waybill.items("listTasks", queue=queue.name)]
            assert sorted(states) == ["cancelled", "cancelled", *["succeeded"] * 4]

    asyncio.run(program())


def test_a_function_is_of_the_kind_that_its_client_runs(functions: Functions) -> None:
    async def coroutine(id: str, run: RunState) -> None:
        ...

    with pytest.raises(TypeError, match="use AsyncWaybill.functions"):
        functions.task("a:b")(coroutine)
