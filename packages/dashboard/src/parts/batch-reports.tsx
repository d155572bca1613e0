import type { BatchReport, BatchTally, BatchView } from '@waybill/client';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Table } from './table.js';

/** How many of a batch's tasks are in each state of each queue, and which step they completed last. */
export const Tally = ({ tally }: { tally: readonly BatchTally[] }) =>
  tally.length === 0 ? (
    <p class="quiet">No tasks: none was added yet.</p>
  ) : (
    <Table about="Tasks by queue, step and state" titles={['Queue', 'Step done', 'State', { numbers: 'Tasks' }]}>
      {tally.map(({ queue, step, state, stateName, tasks }) => (
        <tr key={`${queue} ${step} ${state}`}>
          <td>{queue}</td>
          <td>{step ?? '–'}</td>
          <td>
            <State state={state} name={stateName} />
          </td>
          <td class="number">{tasks}</td>
        </tr>
      ))}
    </Table>
  );

/** What a batch has reported, the newest first, with the tasks that deliver it. */
export const Reports = ({ batch, reports }: { batch: BatchView; reports: readonly BatchReport[] }) =>
  reports.length === 0 ? (
    <p class="quiet">{whyNone(batch)}</p>
  ) : (
    <Table about="Reports" titles={[{ numbers: 'Report' }, 'At', 'Says', 'Delivered']}>
      {reports.map((report) => (
        <tr key={report.number}>
          <td class="number">{report.number}</td>
          <td>
            <Time at={report.at} />
          </td>
          <td>{saidBy(report)}</td>
          <td>
            <Deliveries of={report} />
          </td>
        </tr>
      ))}
    </Table>
  );

function whyNone({ state, error }: BatchView): string {
  if (error !== null) return 'No reports: the batch was never opened, because it could not be planned.';
  if (state === 'aborted' || state === 'deleted') return `No reports: the batch was ${state} before it ended.`;
  return 'No reports yet: it reports when all its tasks have ended.';
}

/** In words, so that a person need not count. */
export function saidBy({ about, counts, changes, more, incomplete }: BatchReport): string {
  const [only] = changes;
  if (about === 'task') return `${only!.name ?? only!.task}, run again: ${only!.state}`;
  const { total, succeeded, deleted } = counts!;
  const news = changes[0]?.from === undefined ? '' : `; ${changes.length + more} changed`;
  const open = incomplete.length === 0 ? '' : `; not complete: ${namesOf(incomplete)}`;
  return `${succeeded} of ${total - deleted} complete${news}${open}`;
}

const MOST_NAMES = 5;

function namesOf(tasks: BatchReport['incomplete']): string {
  const names = tasks.slice(0, MOST_NAMES).map(({ name, task }) => name ?? task);
  return tasks.length > MOST_NAMES ? `${names.join(', ')} and others` : names.join(', ');
}

const Deliveries = ({ of: { deliveries } }: { of: BatchReport }) =>
  deliveries.length === 0 ? (
    <span class="quiet">to nobody</span>
  ) : (
    <>
      {deliveries.map(({ id, kind, state }) => (
        <span key={id}>
          {state === null ? kind : <a href={hashOf({ page: 'task', id })}>{kind}</a>}{' '}
          <State state={state ?? 'pending'} name={state ?? 'about to be sent'} />{' '}
        </span>
      ))}
    </>
  );
