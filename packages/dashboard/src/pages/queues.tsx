import type { QueueStats, QueueView } from '@waybill/client';
import { age, count } from '@waybill/client/words';
import { useMemo, useState } from 'preact/hooks';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { Shown } from '../parts/shown.js';
import { Sparkline } from '../parts/sparkline.js';
import { State, Unattended } from '../parts/state.js';
import { Table, type Title } from '../parts/table.js';
import { Rates } from '../rates.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

/** The most queues that the page shows. The command line lists more. */
export const MOST_QUEUES = 500;

/** One queue with its statistics. */
export interface Row {
  readonly view: QueueView;
  readonly stats: QueueStats | null;
}

/** The states for which the table has room. The queue's own page shows the others. */
const SHOWN = ['pending', 'running', 'held', 'undecided', 'failed', 'succeeded'] as const;
const NUMBERS = [...SHOWN, 'longest wait'].map((numbers) => ({ numbers }));
const TITLES: readonly Title[] = ['Queue', 'State', ...NUMBERS, 'succeeded per second'];

export function QueuesPage({ isLive }: { isLive: boolean }) {
  const rates = useMemo(() => new Rates(), []);
  const live = useLive('queues', (signal) => look(rates, signal), isLive);
  return (
    <Shown live={live} title="Queues">
      {(rows) => <Queues rows={rows} rates={rates} />}
    </Shown>
  );
}

async function look(rates: Rates, signal: AbortSignal): Promise<readonly Row[]> {
  const rows = (await Promise.all([false, true].map((internal) => firstRows(internal, signal)))).flat();
  rates.look(
    rows.flatMap(({ stats }) => stats ?? []),
    performance.now(),
  );
  return rows;
}

/** Of the service's own queues, or of the others, which must not lose their room to those. */
async function firstRows(internal: boolean, signal: AbortSignal): Promise<Row[]> {
  const [views, stats] = await Promise.all([
    firstOf(service().queues({ internal, limit: MOST_QUEUES, signal }), MOST_QUEUES),
    firstOf(service().queueStats({ internal, limit: MOST_QUEUES, signal }), MOST_QUEUES),
  ]);
  const byName = new Map(stats.map((one) => [one.queue, one]));
  return views.map((view) => ({ view, stats: byName.get(view.name) ?? null }));
}

export function Queues({ rows, rates }: { rows: readonly Row[]; rates: Rates }) {
  const [typed, setTyped] = useState('');
  const matching = rows.filter(({ view }) => view.name.includes(typed.trim()));
  const own = matching.filter(({ view }) => view.internal);
  const others = matching.filter(({ view }) => !view.internal);
  if (rows.length === 0) return <NoQueues />;
  return (
    <>
      <h1>Queues</h1>
      {rows.length > 10 ? (
        <label class="find">
          Find <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      ) : null}
      <QueueTable about="Queues" rows={others} rates={rates} />
      {rows.filter(({ view }) => !view.internal).length === MOST_QUEUES ? (
        <p class="quiet">These are the first {MOST_QUEUES} queues. The command line lists more.</p>
      ) : null}
      {own.length > 0 ? (
        <>
          <h2>Queues of the service itself</h2>
          <QueueTable about="Queues of the service itself" rows={own} rates={rates} />
        </>
      ) : null}
    </>
  );
}

function QueueTable({ about, rows, rates }: { about: string; rows: readonly Row[]; rates: Rates }) {
  return (
    <Table about={about} titles={TITLES}>
      {rows.map((row) => (
        <QueueRow key={row.view.name} row={row} course={rates.course(row.view.name)} />
      ))}
    </Table>
  );
}

function QueueRow({ row: { view, stats }, course }: { row: Row; course: readonly number[] }) {
  const latest = course.at(-1) ?? 0;
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ page: 'queue', queue: view.name })}>{view.name}</a>
      </th>
      <td>
        <State state={view.state} /> {view.intake.open ? null : <State state="closed" name="intake closed" />}{' '}
        <Unattended stats={stats} />
      </td>
      {SHOWN.map((state) => (
        <td key={state} class="number">
          <Count queue={view.name} state={state} tasks={stats?.counts[state] ?? 0} />
        </td>
      ))}
      <td class="number">{age(stats?.oldestWaitingMs ?? null)}</td>
      <td>
        <Sparkline values={course} about={`succeeded per second, now ${latest.toFixed(1)}`} />{' '}
        {course.length > 0 ? latest.toFixed(1) : ''}
      </td>
    </tr>
  );
}

function Count({ queue, state, tasks }: { queue: string; state: string; tasks: number }) {
  if (tasks === 0) return <span class="quiet">0</span>;
  return <a href={hashOf({ page: 'tasks', filter: { queue, state } })}>{count(tasks)}</a>;
}

const NoQueues = () => (
  <>
    <h1>No queues yet</h1>
    <p>
      Create a queue from a program (<code>waybill.queue('mail').define()</code>) or from a terminal:
    </p>
    <pre>npx waybill queue define mail</pre>
  </>
);
