import type { BatchHandle, BatchView, Receipt, TaskSummary } from '@waybill/client';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { type Action, Actions } from '../parts/action.js';
import { BatchBar } from '../parts/batch-bar.js';
import { Facts } from '../parts/facts.js';
import { Shown } from '../parts/shown.js';
import { State, Time } from '../parts/state.js';
import { TaskTable } from '../parts/task-table.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

const FIRST = 20;

export interface BatchLook {
  readonly batch: BatchView;
  /** The first of its tasks. */
  readonly tasks: readonly TaskSummary[];
}

export function BatchPage({ id, isLive }: { id: string; isLive: boolean }) {
  const live = useLive(`batch ${id}`, (signal) => look(id, signal), isLive);
  return (
    <Shown live={live} title={`Batch ${id}`}>
      {(seen) => <Batch seen={seen} onDone={live.refresh} />}
    </Shown>
  );
}

async function look(id: string, signal: AbortSignal): Promise<BatchLook> {
  const [batch, tasks] = await Promise.all([
    service().batch(id).get({ signal }),
    firstOf(service().tasks.list({ batch: id }, { limit: FIRST, signal }), FIRST),
  ]);
  return { batch, tasks };
}

export function Batch({ seen: { batch, tasks }, onDone }: { seen: BatchLook; onDone: () => void }) {
  return (
    <>
      <h1>
        {batch.name} <State state={batch.state} />
      </h1>
      {batch.description ? <p>{batch.description}</p> : null}
      <Actions of={`batch '${batch.name}'`} actions={actionsOn(batch)} onDone={onDone} />
      <p>
        <BatchBar batch={batch} />
      </p>
      <p>
        <a href={hashOf({ page: 'batch-graph', id: batch.id })}>Graph of its tasks</a>
      </p>
      <Facts facts={factsOf(batch)} />
      <h2>Tasks</h2>
      {tasks.length === 0 ? <p class="quiet">none yet</p> : <TaskTable tasks={tasks} />}
      {tasks.length === FIRST ? (
        <p>
          <a href={hashOf({ page: 'tasks', filter: { batch: batch.id } })}>All its tasks</a>
        </p>
      ) : null}
    </>
  );
}

function factsOf({ id, labels, createdAt, endedAt }: BatchView) {
  return [
    ['Id', <span class="id">{id}</span>],
    [
      'Labels',
      Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['Created', <Time at={createdAt} />],
    ['Ended', endedAt && <Time at={endedAt} />],
  ] as const;
}

type Step = Omit<Action, 'run'> & {
  readonly run: (batch: BatchHandle, reason: string | undefined) => Promise<Receipt>;
};

const ABORT: Step = {
  name: 'Abort',
  about: 'All its tasks that have not succeeded end at once, and can never be retried.',
  run: (batch, reason) => batch.abort({ reason }),
};

const DELETE: Step = {
  name: 'Delete',
  about: 'Deletes the batch and all its tasks that have not succeeded, also running ones. Their histories stay.',
  run: (batch, reason) => batch.delete({ reason }),
};

/** A batch that has ended for good is only a record. */
export const stepsOn = ({ state }: Pick<BatchView, 'state'>): Step[] =>
  state === 'aborted' || state === 'completed' ? [DELETE] : state === 'deleted' ? [] : [ABORT, DELETE];

const actionsOn = (batch: BatchView): Action[] =>
  stepsOn(batch).map((step) => ({ ...step, run: (reason) => step.run(service().batch(batch.id), reason) }));
