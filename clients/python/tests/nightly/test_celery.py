"""Against two servers of Redis, one of them the broker, and a worker of Celery with two processes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from celery import Celery
from conftest import Running

from waybill import Failure, Queue, StopReport, Task, Waybill, Worker

os.environ["CELERY_FOLDER"] = tempfile.mkdtemp(prefix="waybill-celery-")
FOLDER = Path(os.environ["CELERY_FOLDER"])
from celery_app import BROKER, RESULTS, app, is_alive  # It reads the environment.

from waybill.celery import celery_handler

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"
IN_PROCESS = {**os.environ, "PYTHONPATH": f"{HERE}:{HERE.parent.parent / 'src'}"}
LOG = FOLDER / "log"


class Server:
    """A process that tests may stop and start again."""

    def __init__(self, command: list[str], end: signal.Signals) -> None:
        self._command, self._end = command, end
        self.start()

    def start(self) -> None:
        with LOG.open("a") as output:
            self._process = subprocess.Popen(self._command, cwd=HERE, env=IN_PROCESS, stdout=output, stderr=output)

    def stop(self) -> None:
        self._process.send_signal(self._end)
        self._process.wait(60)


def redis(socket: Path) -> Server:
    """It keeps nothing when it ends."""
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(FOLDER)]
    return Server(command, signal.SIGTERM)


@pytest.fixture(scope="module", autouse=True)
def servers() -> Iterator[dict[str, Server]]:
    command = [sys.executable, "-m", "celery", "-A", "celery_app", "worker", "--concurrency", "2"]
    with ExitStack() as begun:
        begun.callback(rmtree, FOLDER)
        started: dict[str, Server] = {}

        def keep(name: str, server: Server) -> None:
            started[name] = server
            begun.callback(server.stop)

        keep("broker", redis(BROKER))
        keep("results", redis(RESULTS))
        # SIGQUIT ends Celery together with what it executes, also after a test that failed.
        keep("celery", Server(command, signal.SIGQUIT))
        yield started


def until(holds: Callable[[], Any], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"Expected it to hold in time, but Celery says:\n{LOG.read_text()}"
        threading.Event().wait(0.05)


def bridge(url: str, queue: Queue, **options: Any) -> Worker:
    return Worker(url, **options).handle(queue.name, celery_handler(app))


def program_of_readme(url: str, queue: Queue) -> str:
    [program] = re.findall(r"```python\n(from celery_app .*?)```", README.read_text(), re.DOTALL)
    return str(program).replace("http://localhost:3000", url).replace('"ingest"', f'"{queue.name}"')


def types_of(task: Task) -> list[str]:
    return [event["type"] for event in task.history()["items"]]


def test_celery_executes_a_task_with_its_arguments_and_tells_the_result(
    url: str, queue: Queue, running: Running
) -> None:
    running(bridge(url, queue))

    task = queue.enqueue(["a", 7], kind="told")
    result = task.result(timeout=60)
    assert (result["args"], result["kwargs"]) == (["a", 7], {})
    assert (result["task"], result["attempt"], result["fencing_token"].isdigit()) == (task.id, 1, True)
    assert types_of(task) == ["TaskEnqueued", "TaskClaimed", "TaskDataRecorded", "TaskSucceeded"]


def test_a_kind_may_have_another_name_in_celery_and_arguments_names(url: str, queue: Queue, running: Running) -> None:
    running(Worker(url).handle(queue.name, celery_handler(app, names={"mail": "told"})))

    assert queue.run({"to": "ann"}, kind="mail", timeout=30)["kwargs"] == {"to": "ann"}


def test_an_exception_fails_the_attempt_with_its_message_and_stack(url: str, queue: Queue, running: Running) -> None:
    running(bridge(url, queue))

    task = queue.enqueue(["bob"], kind="refuse")
    with pytest.raises(Exception, match="application: 'bob'"):
        task.result(timeout=30)
    error: Any = task.get()["error"]
    details = error["details"]
    assert details["exception"] == "KeyError" and "raise KeyError(customer)" in details["stack"]


@pytest.mark.parametrize("kind", ["ask.again", "again.by.itself"])
def test_a_retry_of_celery_is_a_failure_and_waybill_decides(
    url: str, queue: Queue, running: Running, kind: str
) -> None:
    running(bridge(url, queue))

    with pytest.raises(Exception, match="application: no route"):
        queue.run(kind=kind, timeout=30)


def test_heartbeats_keep_a_task_longer_than_its_lease(url: str, queue: Queue, running: Running) -> None:
    running(bridge(url, queue, lease=1))

    task = queue.enqueue([2.5], kind="sleep")
    assert (task.result(timeout=30), task.get()["attempt"]) == ("slept", 1)


def test_a_message_for_which_no_process_is_free_expires_and_spends_no_attempt(
    url: str, queue: Queue, running: Running
) -> None:
    running(bridge(url, queue, lease=1))

    tasks = [queue.enqueue([3], kind="sleep") for _ in range(3)]
    assert [(task.result(timeout=60), task.get()["attempt"]) for task in tasks] == [("slept", 1)] * 3
    assert any("TaskReturned" in types_of(task) for task in tasks)


def test_a_cancelled_task_ends_its_execution(url: str, queue: Queue, running: Running, tmp_path: Path) -> None:
    running(bridge(url, queue, lease=5))
    begun = tmp_path / "begun"
    task = queue.enqueue([str(begun)], kind="hold")
    until(lambda: begun.exists() and begun.read_text().endswith("\n"))

    task.command("cancelTask", reason="wrong file")
    with pytest.raises(Exception, match="it is cancelled"):
        task.result(timeout=30)
    until(lambda: not is_alive(int(begun.read_text())))
    assert "TaskCancelConfirmed" in types_of(task)


def test_a_bridge_that_stops_gives_back_what_celery_did_not_finish(url: str, queue: Queue, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    worker = bridge(url, queue, grace=4)
    reports: list[StopReport] = []
    thread = threading.Thread(target=lambda: reports.append(worker.run()))
    thread.start()
    task = queue.enqueue([str(begun)], kind="hold")
    until(lambda: begun.exists() and begun.read_text().endswith("\n"))
    worker.stop()
    thread.join(30)

    assert reports[0].returned == [task.id]
    assert task.get()["state"] == "pending"
    until(lambda: not is_alive(int(begun.read_text())))


def test_what_a_killed_bridge_left_running_ends_before_the_next_attempt(
    url: str, queue: Queue, running: Running, tmp_path: Path
) -> None:
    begun = tmp_path / "begun"
    queue.define({"leaseMs": 2_000}, replace=True)
    killed = subprocess.Popen([sys.executable, "-c", program_of_readme(url, queue)], env=IN_PROCESS)
    task = queue.enqueue([str(begun)], kind="hold")
    until(lambda: begun.exists() and begun.read_text().endswith("\n"))
    killed.kill()
    killed.wait()

    running(bridge(url, queue))
    assert task.result(timeout=60) == []
    assert len(begun.read_text().split()) == 2


def test_a_process_that_celery_loses_is_a_lost_attempt(
    url: str, queue: Queue, running: Running, tmp_path: Path
) -> None:
    queue.define({"leaseMs": 2_000}, replace=True)
    running(bridge(url, queue))

    task = queue.enqueue([str(tmp_path / "begun")], kind="die")
    assert task.result(timeout=90) == "alive"
    assert task.get()["attempt"] == 2
    assert "TaskFailed" not in types_of(task)
    lost = [event for event in task.history()["items"] if event["type"] == "TaskLeaseExpired"]
    assert len(lost) == 1


def test_a_task_waits_while_the_broker_is_away_and_spends_no_attempt(
    url: str, queue: Queue, running: Running, servers: dict[str, Server]
) -> None:
    servers["broker"].stop()
    try:
        running(bridge(url, queue, lease=1))
        task = queue.enqueue([0], kind="sleep")
        until(lambda: "TaskReturned" in types_of(task))
        assert task.get()["state"] in ("pending", "running")
    finally:
        servers["broker"].start()
        # Celery 5.2 takes no message up after its Redis was away.
        servers["celery"].stop()
        servers["celery"].start()

    assert task.result(timeout=90) == "slept"
    assert task.get()["attempt"] == 1


def test_an_execution_goes_on_while_its_result_cannot_be_read(
    url: str, queue: Queue, running: Running, servers: dict[str, Server], caplog: pytest.LogCaptureFixture
) -> None:
    running(bridge(url, queue, lease=1))
    task = queue.enqueue([3], kind="sleep")
    until(lambda: task.get()["state"] == "running")
    servers["results"].stop()
    try:
        until(lambda: "Expected to read the result" in caplog.text)
    finally:
        servers["results"].start()

    assert task.result(timeout=90) == "slept"
    assert task.get()["attempt"] == 1


def test_the_eight_tasks_of_an_ingest_run_when_what_they_need_is_done(
    url: str, queue: Queue, running: Running, tmp_path: Path
) -> None:
    done = tmp_path / "done"
    needs: dict[int, list[int]] = {1: [], 2: [1], 3: [1], 4: [1], 5: [2], 6: [3], 7: [5], 8: [6]}
    running(bridge(url, queue))

    tasks: dict[int, Task] = {}
    for number, before in needs.items():
        after = [{"task": tasks[each].id} for each in before]
        kind = "assets.make" if number == 1 else "links.make"
        tasks[number] = queue.enqueue([str(done), str(number)], kind=kind, after=after)
    for task in tasks.values():
        task.result(timeout=60)

    order = [int(number) for number in done.read_text().split()]
    assert sorted(order) == list(needs)
    assert [order.index(number) > order.index(each) for number, before in needs.items() for each in before] == [
        True
    ] * 7


@pytest.mark.parametrize(
    ("payload", "kind", "says"),
    [
        ("ann", "told", "as a list or an object"),
        ([], "silent", "ignore_result=True"),
        ([], "endless", "max_retries"),
        ([], "nobody", "nobody"),
    ],
)
def test_what_celery_cannot_execute_or_tell_fails(
    url: str, queue: Queue, running: Running, payload: Any, kind: str, says: str
) -> None:
    running(bridge(url, queue))

    with pytest.raises(Exception, match=says):
        queue.run(payload, kind=kind, timeout=30)


def test_a_job_for_many_tasks_is_refused() -> None:
    job: Any = {"kind": "told", "payload": None, "items": []}

    with pytest.raises(Failure, match="one task"):
        asyncio.run(celery_handler(app)(job, job))


def test_an_app_that_cannot_tell_or_stop_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="result backend"):
        celery_handler(Celery(broker="memory://"))
    with pytest.raises(ValueError, match="task_ignore_result"):
        celery_handler(Celery(broker="memory://", backend="cache+memory://", task_ignore_result=True))
    monkeypatch.setattr("kombu.Connection.supports_exchange_type", lambda broker, kind: kind != "fanout")
    with pytest.raises(ValueError, match="reaches all workers"):
        celery_handler(Celery(broker="memory://", backend="cache+memory://"))
