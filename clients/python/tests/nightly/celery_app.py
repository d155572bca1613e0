"""What the workers of Celery in the tests execute. Its broker and its results are two servers of Redis in the folder CELERY_FOLDER."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from celery import Celery

FOLDER = Path(os.environ["CELERY_FOLDER"])
BROKER, RESULTS = FOLDER / "broker.sock", FOLDER / "results.sock"

app = Celery("tests", broker=f"redis+socket://{BROKER}", backend=f"redis+socket://{RESULTS}")


@app.task(bind=True, name="told")
def told(self: Any, *args: Any, **kwargs: Any) -> Any:
    return {"args": args, "kwargs": kwargs, **self.request.waybill}


@app.task(name="refuse")
def refuse(customer: str) -> None:
    raise KeyError(customer)


@app.task(bind=True, name="ask.again")
def ask_again(self: Any) -> None:
    raise self.retry(exc=ConnectionError("no route"), countdown=3600)


@app.task(name="again.by.itself", autoretry_for=(ConnectionError,), retry_backoff=True)
def again_by_itself() -> None:
    raise ConnectionError("no route")


@app.task(name="sleep")
def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


@app.task(name="die")
def die(file: str) -> str:
    """The first one loses its process."""
    begun = Path(file)
    if begun.exists():
        return "alive"
    begun.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    return "unreachable"


@app.task(name="hold")
def hold(file: str) -> list[int]:
    """Runs for ever at first. Later it returns which of the processes that began it are still there."""
    begun = Path(file)
    others = [int(pid) for pid in begun.read_text().split()] if begun.exists() else []
    with begun.open("a") as pids:
        pids.write(f"{os.getpid()}\n")
    if not others:
        time.sleep(600)
    return [pid for pid in others if is_alive(pid)]


def is_alive(pid: int) -> bool:
    try:
        # A process that ended is a zombie (Z) until its parent has noticed.
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def note(file: str, title: str) -> None:
    with Path(file).open("a") as titles:
        titles.write(f"{title}\n")


for name in ("assets.make", "links.make"):
    app.task(note, name=name)


@app.task(name="endless", max_retries=None)
def endless() -> None:
    pass


@app.task(name="silent", ignore_result=True)
def silent() -> None:
    pass
