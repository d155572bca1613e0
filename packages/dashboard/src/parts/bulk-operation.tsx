import type { TaskDetails } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { useState } from 'preact/hooks';
import { useLive } from '../live.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';
import { Shown } from './shown.js';

/** What became of an operation. */
interface BulkResult {
  readonly asked: number;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly examples: readonly { readonly task: string; readonly code: string }[];
}

/** How far an operation is, until it has ended, and then what was refused. */
export function BulkOperation({ id }: { id: string }) {
  const [isOver, setOver] = useState(false);
  const live = useLive(
    `operation ${id}`,
    async (signal) => {
      const task = await service().task(id).get({ signal });
      setOver(task.finishedAt !== null);
      return task;
    },
    !isOver,
  );
  return <Shown live={live}>{(task) => <BulkOutcome task={task} />}</Shown>;
}

export function BulkOutcome({ task: { id, kind, state, progress, result, error } }: { task: TaskDetails }) {
  const found = result as BulkResult | null;
  const bars = progress.map(({ title, position, end }) => `${position} of ${end} ${title}`).join(', ');
  const soFar = found ? `${found.done} of ${plural(found.asked, 'task')}` : bars;
  return (
    <>
      <p role="status">
        <a href={hashOf({ page: 'task', id })}>The operation {kind}</a>: {state}
        {soFar ? `, ${soFar}` : ''}.
      </p>
      {error ? <p>{error.message}</p> : null}
      {found ? <Refusals result={found} /> : null}
    </>
  );
}

const Refusals = ({ result: { refused, examples } }: { result: BulkResult }) => (
  <ul>
    {Object.entries(refused).map(([code, times]) => {
      const example = examples.find((one) => one.code === code)?.task;
      return (
        <li key={code}>
          {plural(times, 'task')} refused: {code}
          {example === undefined ? null : (
            <>
              , such as <a href={hashOf({ page: 'task', id: example })}>{example}</a>
            </>
          )}
        </li>
      );
    })}
  </ul>
);
