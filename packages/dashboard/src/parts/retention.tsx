import type { QueueView, RetentionView } from '@waybill/client';
import { count } from '@waybill/client/words';
import { useLive } from '../live.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';
import { Shown } from './shown.js';
import { Time } from './state.js';
import { Wide } from './wide.js';

export const retains = ({ policy }: Pick<QueueView, 'policy'>): boolean =>
  Object.values(policy.retention).some((days) => days !== null);

/** What leaves the lists of a queue. Asked once, because the service looks through all of the queue's tasks for it. */
export function Retention({ queue }: { queue: string }) {
  const load = (signal: AbortSignal): Promise<RetentionView> => service().queue(queue).retention(undefined, { signal });
  const live = useLive(`retention ${queue}`, load, false);
  return (
    <section>
      <h2>Retention</h2>
      <Shown live={live}>{(view) => <Leaving view={view} />}</Shown>
    </section>
  );
}

const TITLES = ['State', 'After days', 'Leave now', 'Oldest ended', 'First'];

export function Leaving({ view: { archived, lastPassAt, states, more } }: { view: RetentionView }) {
  return (
    <>
      <p>
        {count(archived)} {archived === 1 ? 'task is' : 'tasks are'} in the archive.{' '}
        {lastPassAt ? (
          <>
            The queue was last looked through at <Time at={lastPassAt} />.
          </>
        ) : (
          'The queue has not been looked through yet.'
        )}
      </p>
      <Wide about="Retention">
        <table>
          <thead>
            <tr>
              {TITLES.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {states.map(({ state, days, tasks, oldestEndedAt, first: [first] }) => (
              <tr key={state}>
                <th scope="row">{state}</th>
                <td class="number">{days}</td>
                <td class="number">{count(tasks)}</td>
                <td>{oldestEndedAt ? <Time at={oldestEndedAt} /> : '–'}</td>
                <td>{first ? <a href={hashOf({ page: 'task', id: first })}>{first}</a> : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {more ? <p class="quiet">There are more tasks than these, which were not counted.</p> : null}
    </>
  );
}
