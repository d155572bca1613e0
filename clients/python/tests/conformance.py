"""The program that `clients/conformance/driver.mjs` asks for calls of the Python client."""

from __future__ import annotations

import os
import threading
from typing import Any

import httpx

from waybill import (
    Failure,
    PlannedTask,
    Retries,
    Run,
    RunState,
    Stopped,
    StopReport,
    TaskFailed,
    TaskNotEnded,
    Waybill,
    WaybillError,
    WaybillUnavailable,
    Worker,
    steps,
)


class RunningWorker:
    """At most one at a time."""

    def __init__(self, url: str, given: dict[str, Any]) -> None:
        options = {
            "concurrency": given.get("concurrency", 10),
            "lease": given["leaseMs"] / 1000 if "leaseMs" in given else None,
            "grace": given.get("graceMs", 10_000) / 1000,
        }
        self._worker = Worker(url, name=given["name"], **options)
        for queue, handler in given["handlers"].items():
            self._worker.handle(queue, handler_of(handler))
        self._reports: list[StopReport] = []
        self._thread = threading.Thread(target=lambda: self._reports.append(self._worker.run()))
        self._thread.start()

    def stop(self) -> dict[str, Any]:
        self._worker.stop()
        self._thread.join()
        report = self._reports[0]
        return {"returned": report.returned, "abandoned": [task["taskId"] for task in report.abandoned]}


def handler_of(data: dict[str, Any]) -> Any:
    if "steps" in data:
        return steps({name: handler_of(each) for name, each in data["steps"].items()})

    def handle(task: Any, run: Run) -> Any:
        if "return" in data:
            return task["payload"] if data["return"] == "$payload" else data["return"]
        if "raise" in data:
            raise RuntimeError(data["raise"])
        if "fail" in data:
            raise Failure(data["fail"]["message"], error_class=data["fail"]["class"], final=data["fail"]["final"])
        if "retryLaterMs" in data:
            return run.retry_later(data["retryLaterMs"] / 1000)
        if "postponeMs" in data:
            return run.postpone(data["postponeMs"] / 1000)
        pause = threading.Event()
        while not ("untilWindDown" in data and run.stopping):
            pause.wait(0.01)
            run.check()
        return data["untilWindDown"]

    return handle


def function_of(data: dict[str, Any]) -> Any:
    def work(id: str, run: RunState, *arguments: Any) -> Any:
        if "raise" in data:
            raise RuntimeError(data["raise"])
        while "untilStopped" in data:
            run.check()
            threading.Event().wait(0.01)
        return list(arguments) if data["return"] == "$payload" else data["return"]

    return work


clients: dict[str, Waybill] = {}
workers: list[RunningWorker] = []


def client_of(order: dict[str, Any]) -> Waybill:
    """One for each case, which remembers what it has written."""
    url, given = order["url"], order["client"]
    if url not in clients:
        retries = Retries(attempts=given.get("attempts", 5), base=given.get("baseMs", 100) / 1000)
        clients[url] = Waybill(url, actor=given.get("actor"), api_key=given.get("apiKey"), retries=retries)
    return clients[url]


def carry_out(order: dict[str, Any]) -> Any:
    waybill, given = client_of(order), order["with"]
    match order["call"]:
        case "enqueue":
            task = waybill.queue(given["queue"]).enqueue(given["payload"], **given.get("options", {}))
            return {"id": task.id, "status": task.outcome and task.outcome["status"]}
        case "enqueueMany":
            results: list[Any] = waybill.queue(given["queue"]).enqueue_many(given["tasks"])
            return [{"id": each["id"]} if "id" in each else {"code": each["problem"]["code"]} for each in results]
        case "list":
            return [task["id"] for task in waybill.items("listTasks", queue=given["queue"])]
        case "get":
            return waybill.task(given["task"]).get()["state"]
        case "cancel":
            return waybill.task(given["task"]).command("cancelTask", reason=given["reason"])["state"]
        case "result":
            return waybill.task(given["task"]).result(timeout=given["timeoutMs"] / 1000)
        case "callFunction":
            function = waybill.functions(given["queue"]).task(given["kind"])(function_of(given["function"]))
            return function(*given["arguments"])
        case "applyFunction":
            call = waybill.functions(given["queue"]).task(given["kind"])(function_of({"return": None}))
            options, given_args = given["options"], given["arguments"]
            due = "at" in given
            return {
                "id": (call.defer(given["at"], given_args, **options) if due else call.apply(given_args, **options)).id
            }
        case "submitBatch":
            plan = waybill.plan_batch(given["name"], id=given["id"])
            planned: list[PlannedTask] = []
            for each in given["tasks"]:
                after = [planned[number] for number in each["after"]]
                planned.append(plan.add(each["queue"], each["payload"], after=after, **each["options"]))
            return {"id": plan.submit().id}
        case "defineResource":
            waybill.resource(given["resource"]).define(**given["definition"])
            return None
        case "measureResource":
            waybill.resource(given["resource"]).measure(given["value"])
            return None
        case "startWorker":
            workers.append(RunningWorker(order["url"], given))
            return None
        case "stopWorker":
            return workers.pop().stop()
        case other:
            raise ValueError(f"Expected a call of the suite, but got '{other}'")


def said_to(order: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": carry_out(order)}
    except WaybillError as error:
        return {"error": {"kind": "refused", "code": error.code, "status": error.status}}
    except WaybillUnavailable as error:
        return {"error": {"kind": "unavailable", "outcome": error.outcome}}
    except TaskFailed as error:
        return {"error": {"kind": "failed", "state": error.task["state"]}}
    except TaskNotEnded as error:
        return {"error": {"kind": "not-ended", "state": error.task["state"]}}
    except Stopped as error:
        return {"error": {"kind": "stopped", "reason": error.reason}}
    except Exception as error:
        return {"error": {"kind": "raised", "message": str(error)}}


def main() -> None:
    with httpx.Client(base_url=os.environ["CONFORMANCE_URL"], timeout=None) as driver:
        while (asked := driver.get("/next")).status_code == 200:
            order = asked.json()
            driver.post(f"/answers/{order['id']}", json=said_to(order))


main()
