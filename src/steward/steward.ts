import { createWaybill, type Handler, type Run, type Verdict } from '@waybill/client';
import type { Operations } from '../api/operations/operations.js';
import type { BulkOperation, BulkResult } from '../application/bulk-operations/bulk-operation.js';
import { OPERATIONS_QUEUE } from '../application/bulk-operations/bulk-operation.js';
import { type RerunOrder, RERUNS } from '../application/batches/rerun-batch.handler.js';
import type { Delivery } from '../application/deliveries/delivery.js';
import { DELIVERIES, MAILS } from '../application/queues/service-queues.js';
import { QUEUE_DELETIONS, type QueueDeletion } from '../application/queue-deletions/queue-deletion.js';
import type { Undo } from '../application/bulk-operations/undo-order.js';
import type { Tracing } from '../application/kernel/tracing.port.js';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';
import { InProcessTransport } from '../in-process/in-process-transport.js';
import { BulkOperationRun, type BulkWork } from './bulk-operation-run.js';
import type { Deliveries } from './deliveries/delivery-run.js';
import { planRerun, type RerunWork } from './rerun-run.js';
import { type Erasure, ERASURES } from '../application/erasures/erasure.js';
import { type ErasureWork, eraseSubject } from './erasure-run.js';
import { type ModelRebuild, REBUILDS } from '../application/rebuilds/model-rebuild.js';
import type { ModelRebuilds } from '../application/rebuilds/model-rebuilds.port.js';
import { PAST_FIRINGS, type PastFiring } from '../application/triggers/past-firing.js';
import { firePast, type PastFiringWork } from './past-firing-run.js';
import { QueueDeletionRun, type QueueDeletionWork } from './queue-deletion-run.js';
import { rebuildModel } from './rebuild-run.js';
import { ServiceWorker } from './service-worker.js';
import { undoOperation, type UndoWork } from './undo-run.js';

/** Many, because one with a canary or a rate mostly waits. The appends of all have few places (`bulkWork`). */
const OPERATIONS_AT_ONCE = 100;
/** A delivery mostly waits for a server. Many, because each of many receivers may let its few wait. */
const WEBHOOKS_AT_ONCE = 64;
/** To one server. */
const MAILS_AT_ONCE = 10;
/** A deletion mostly waits for running tasks, of which some never end. */
const DELETIONS_AT_ONCE = 100;
/** Each adds many tasks at once. */
const RERUNS_AT_ONCE = 2;
/** Each makes many tasks at once. */
const PAST_FIRINGS_AT_ONCE = 2;
/** Each reads the whole log. */
const REBUILDS_AT_ONCE = 1;
/** Each reads whole histories. */
const ERASURES_AT_ONCE = 2;

/** What it works with, by the kind of work. */
export interface StewardWork {
  readonly bulk: BulkWork & UndoWork;
  readonly deletions: QueueDeletionWork;
  readonly reruns: RerunWork;
  readonly deliveries: Deliveries;
  readonly past: PastFiringWork;
  readonly rebuilds: ModelRebuilds;
  readonly erasures: ErasureWork;
  /** Absent: no traces are exported. */
  readonly tracing: Tracing | undefined;
}

/** It hands an operation on as soon as it stops: another one goes on where this one was. */
const operating = (work: BulkWork & UndoWork): Handler<BulkOperation | Undo> =>
  Object.assign((_: unknown, run: Run<any>) => operate(run, work), { onStop: 'cancel' as const });

const operate = (run: Run<any>, work: BulkWork & UndoWork): Promise<BulkResult | Verdict> =>
  'undoes' in run.task.payload ? undoOperation(run, work) : new BulkOperationRun(run, work).finish();

const rebuilding = (rebuilds: ModelRebuilds): Handler<ModelRebuild> =>
  Object.assign((_: unknown, run: Run<ModelRebuild>) => rebuildModel(run, rebuilds), { onStop: 'cancel' as const });

const erasing = (work: ErasureWork): Handler<Erasure> =>
  Object.assign((_: unknown, run: Run<Erasure>) => eraseSubject(run, work), { onStop: 'cancel' as const });

/** Makes each run of a handler a span, within the trace of what ordered it. A delivery has one of its own. */
const tracedBy =
  (tracing: Tracing | undefined) =>
  <P>(handler: Handler<P>): Handler<P> => {
    if (!tracing) return handler;
    const run: Handler<P> = (task, at) => {
      const attributes = { 'messaging.destination.name': task.queue, 'messaging.message.id': task.taskId };
      const about = { ...attributes, 'waybill.task.attempt': at.attempt };
      const span = {
        name: 'steward',
        kind: 'internal',
        attributes: about,
        traceparent: task.traceparent ?? null,
      } as const;
      return tracing.within(span, async () => handler(task, at));
    };
    return Object.assign(run, handler);
  };

/** The role `steward`: works on the service's own tasks. */
export class Steward {
  private readonly transport: InProcessTransport;
  private readonly workers: readonly ServiceWorker[];

  constructor(operations: Operations, wakeUps: WakeUps, work: StewardWork) {
    const { bulk, deletions, reruns, deliveries, past, rebuilds, erasures } = work;
    const traced = tracedBy(work.tracing);
    this.transport = new InProcessTransport(operations, true);
    const waybill = createWaybill({ transport: this.transport, actor: 'steward' });
    const workerOf = <P>(queue: string, concurrency: number, handler: Handler<P>): ServiceWorker =>
      new ServiceWorker(waybill, wakeUps, {
        queue,
        concurrency,
        register: (worker) => worker.handle<P>(queue, handler),
      });
    const delivering: Handler<Delivery> = (_, run) => deliveries.deliver(run);
    const deleting: Handler<QueueDeletion> = (_, run) => new QueueDeletionRun(run, deletions).finish();
    const firing: Handler<PastFiring> = (_, run) => firePast(run, past);
    const planning: Handler<RerunOrder> = (_, run) => planRerun(run, waybill, reruns);
    this.workers = [
      workerOf<BulkOperation | Undo>(OPERATIONS_QUEUE, OPERATIONS_AT_ONCE, traced(operating(bulk))),
      workerOf(QUEUE_DELETIONS.name, DELETIONS_AT_ONCE, traced(deleting)),
      workerOf(DELIVERIES.name, WEBHOOKS_AT_ONCE, delivering),
      // Another steward may have a mail server, so one without takes no mail.
      ...(deliveries.hasMail ? [workerOf(MAILS.name, MAILS_AT_ONCE, delivering)] : []),
      workerOf(PAST_FIRINGS.name, PAST_FIRINGS_AT_ONCE, traced(firing)),
      workerOf(REBUILDS.name, REBUILDS_AT_ONCE, traced(rebuilding(rebuilds))),
      workerOf(ERASURES.name, ERASURES_AT_ONCE, traced(erasing(erasures))),
      workerOf(RERUNS.name, RERUNS_AT_ONCE, traced(planning)),
    ];
  }

  /** Safe to call twice. */
  start(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Returns what it works on. Safe to call twice. */
  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    this.transport.close();
  }
}
