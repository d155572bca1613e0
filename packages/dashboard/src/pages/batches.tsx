import type { BatchView } from '@waybill/client';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { BatchBar } from '../parts/batch-bar.js';
import { Shown } from '../parts/shown.js';
import { State, Time } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { hashOf } from '../route.js';
import { service } from '../service.js';

/** The most batches that the page shows. The command line lists more. */
export const MOST_BATCHES = 200;

export function BatchesPage({ isLive }: { isLive: boolean }) {
  const look = (signal: AbortSignal) => firstOf(service().batches({ limit: MOST_BATCHES, signal }), MOST_BATCHES);
  const live = useLive('batches', look, isLive);
  return (
    <Shown live={live} title="Batches">
      {(batches) => <Batches batches={batches} />}
    </Shown>
  );
}

export function Batches({ batches }: { batches: readonly BatchView[] }) {
  if (batches.length === 0) return <NoBatches />;
  return (
    <>
      <h1>Batches</h1>
      <Table about="Batches" titles={['Batch', 'State', 'Tasks', 'Created', 'Ended']}>
        {batches.map((batch) => (
          <tr key={batch.id}>
            <th scope="row">
              <a href={hashOf({ page: 'batch', id: batch.id })}>{batch.name}</a>
            </th>
            <td>
              <State state={batch.state} name={batch.stateName} />
            </td>
            <td>
              <BatchBar batch={batch} />
            </td>
            <td>
              <Time at={batch.createdAt} />
            </td>
            <td>
              <Time at={batch.endedAt} />
            </td>
          </tr>
        ))}
      </Table>
      {batches.length === MOST_BATCHES ? (
        <p class="quiet">These are the latest {MOST_BATCHES} batches. The command line lists more.</p>
      ) : null}
    </>
  );
}

const NoBatches = () => (
  <>
    <h1>No batches yet</h1>
    <p>A batch is a set of tasks that begin together and are looked at as one. Plan one from a program:</p>
    <pre>{`const plan = waybill.planBatch({ name: 'ingest 4711' });
plan.add('ingest', { folder: '/in/4711' });
await plan.submit();`}</pre>
  </>
);
