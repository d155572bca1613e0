import {
  type ApiKeyView,
  type HoldView,
  type ProjectionView,
  type ResourceView,
  type SystemView,
  WaybillError,
  type WorkerView,
} from '@waybill/client';
import { age, count, plural, quotaInWords, stuckInWords } from '@waybill/client/words';
import { firstOf } from '../first-of.js';
import { useLive } from '../live.js';
import { Holds, MOST_HOLDS } from '../parts/holds.js';
import { Leaders } from '../parts/leaders.js';
import { EventsPutAside } from '../parts/events-put-aside.js';
import { FailingTargets } from '../parts/failing-targets.js';
import { Quarantined } from '../parts/quarantined.js';
import { MOST_RESOURCES, Resources } from '../parts/resources.js';
import { Shown } from '../parts/shown.js';
import { State, Time } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { service } from '../service.js';

const MOST_WORKERS = 500;

export interface SystemLook {
  readonly system: SystemView;
  readonly workers: readonly WorkerView[];
  readonly holds: readonly HoldView[];
  readonly resources: readonly ResourceView[];
  readonly projections: readonly ProjectionView[];
  /** Null if the reader's own key may not see them. */
  readonly apiKeys: readonly ApiKeyView[] | null;
}

export function SystemPage({ isLive }: { isLive: boolean }) {
  const live = useLive('system', look, isLive);
  return (
    <Shown live={live} title="Workers">
      {(seen) => <System {...seen} onDone={live.refresh} />}
    </Shown>
  );
}

async function look(signal: AbortSignal): Promise<SystemLook> {
  const [system, others, own, holds, resources, projections, apiKeys] = await Promise.all([
    service().system.get({ signal }),
    firstOf(service().workers({ internal: false, limit: MOST_WORKERS, signal }), MOST_WORKERS),
    firstOf(service().workers({ internal: true, limit: MOST_WORKERS, signal }), MOST_WORKERS),
    firstOf(service().holds.list({ limit: MOST_HOLDS, signal }), MOST_HOLDS),
    firstOf(service().resources.list({ limit: MOST_RESOURCES, signal }), MOST_RESOURCES),
    service().projections({ signal }),
    service().apiKeys({ signal }).catch(unlessForbidden),
  ]);
  return { system, workers: [...others, ...own], holds, resources, projections, apiKeys };
}

function unlessForbidden(error: unknown): null {
  if (error instanceof WaybillError && error.code === 'FORBIDDEN') return null;
  throw error;
}

export const System = ({
  system,
  workers,
  holds,
  resources,
  projections,
  apiKeys,
  onDone,
}: SystemLook & { onDone: () => void }) => (
  <>
    <Quarantined {...system} />
    <FailingTargets {...system} />
    <EventsPutAside {...system} />
    {system.refusedOutboxRows > 0 ? (
      <p>
        {plural(system.refusedOutboxRows, 'row')} of the outbox refused; the column refusal of waybill_outbox says why.
      </p>
    ) : null}
    <h1>Workers</h1>
    {workers.length === 0 ? <p class="quiet">No worker has claimed a task yet.</p> : <Workers workers={workers} />}
    <Holds holds={holds} onDone={onDone} />
    <Resources resources={resources} />
    <h1>Read models and reactions</h1>
    <Projections projections={projections} />
    <Leaders {...system} />
    {system.eventStoreVersion === null ? null : (
      <p class="quiet">The events are in an event store of version {system.eventStoreVersion}.</p>
    )}
    {apiKeys !== null && (
      <>
        <h1>API keys</h1>
        {apiKeys.length === 0 ? <p class="quiet">The service requires no API keys.</p> : <ApiKeys keys={apiKeys} />}
      </>
    )}
  </>
);

const ApiKeys = ({ keys }: { keys: readonly ApiKeyView[] }) => (
  <Table about="API keys" titles={['Name', 'Id', 'May', 'Quota', 'Expires', 'Last used']}>
    {keys.map(({ id, name, may, quota, expiresAt, lastUsedAt }) => (
      <tr key={id}>
        <th scope="row">{name}</th>
        <td>{id}</td>
        <td>{may.join(', ')}</td>
        <td>{quotaInWords(quota) || '-'}</td>
        <td>{expiresAt === null ? 'never' : <Time at={expiresAt} />}</td>
        <td>{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />}</td>
      </tr>
    ))}
  </Table>
);

const WORKER_COUNTS = ['running', 'claimed', 'succeeded', 'failed', 'lost'].map((numbers) => ({ numbers }));

const Workers = ({ workers }: { workers: readonly WorkerView[] }) => (
  <Table about="Workers" titles={['Worker', 'State', 'Server', 'Queues', 'Last seen', ...WORKER_COUNTS, 'Stuck']}>
    {workers.map(({ name, state, server, queues, lastSeenAt, stuck, running, claimed, succeeded, failed, lost }) => (
      <tr key={`${name} ${queues.join(' ')}`}>
        <th scope="row">{name}</th>
        <td>
          <State state={state} />
        </td>
        <td>{server}</td>
        <td>{queues.join(', ')}</td>
        <td>
          <Time at={lastSeenAt} />
        </td>
        {[running, claimed, succeeded, failed, lost].map((number, index) => (
          <td key={index} class="number">
            {count(number)}
          </td>
        ))}
        <td>{stuckInWords({ stuck })}</td>
      </tr>
    ))}
  </Table>
);

const Projections = ({ projections }: { projections: readonly ProjectionView[] }) => (
  <Table
    about="Read models and reactions"
    titles={['Name', 'State', { numbers: 'Behind' }, { numbers: 'Events behind' }, { numbers: 'Position' }]}
  >
    {projections.map(({ name, status, lagEvents, lagSeconds, position, error, stoppedAt }) => (
      <tr key={name}>
        <th scope="row">{name}</th>
        <td>
          <State state={status === 'stopped' ? 'failed' : 'active'} name={status} />{' '}
          {error ? `at ${stoppedAt}: ${error}` : null}
        </td>
        <td class="number">{lagSeconds === 0 ? '-' : age(lagSeconds * 1_000)}</td>
        <td class="number">{lagEvents === null ? '-' : count(lagEvents)}</td>
        <td class="number">{position}</td>
      </tr>
    ))}
  </Table>
);
