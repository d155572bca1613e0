"""Lets the console's workers of Celery execute the ingests that Waybill decides: `WAYBILL_URL=… CELERY_BROKER=… CELERY_RESULTS=… python3 bridge.py`."""

from __future__ import annotations

import os

from console import app

from waybill import Worker
from waybill.celery import celery_handler

# No more at once than Celery has processes.
worker = Worker(os.environ["WAYBILL_URL"], api_key=os.environ.get("WAYBILL_API_KEY"), name="celery", concurrency=2)
worker.handle("console-ingest", celery_handler(app))

if __name__ == "__main__":
    worker.run()
