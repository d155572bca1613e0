"""The tests run against a Waybill at WAYBILL_URL, which `npx jest test/clients` starts."""

from __future__ import annotations

import os
import threading
import uuid
from collections.abc import Callable, Iterator

import pytest

from waybill import Queue, StopReport, Waybill, Worker


@pytest.fixture(scope="session")
def url() -> str:
    return os.environ["WAYBILL_URL"]


@pytest.fixture
def waybill(url: str) -> Iterator[Waybill]:
    with Waybill(url, actor="python") as client:
        yield client


@pytest.fixture
def queue(waybill: Waybill) -> Queue:
    """A queue of the test's own."""
    queue = waybill.queue(f"q-{uuid.uuid4()}")
    queue.define()
    return queue


Running = Callable[[Worker], None]


@pytest.fixture
def running() -> Iterator[Running]:
    """Runs workers in threads until the test ends."""
    begun: list[tuple[Worker, threading.Thread]] = []

    def run(worker: Worker) -> None:
        thread = threading.Thread(target=worker.run)
        thread.start()
        begun.append((worker, thread))

    yield run
    for worker, thread in begun:
        worker.stop()
        thread.join(30)
        assert not thread.is_alive(), "Expected the worker to stop"


def stop(worker: Worker, thread: threading.Thread, reports: list[StopReport]) -> StopReport:
    worker.stop()
    thread.join(30)
    return reports[0]
