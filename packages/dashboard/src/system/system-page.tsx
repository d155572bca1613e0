import type { ApiKeyView, LeaderView, ProjectionView, SystemView } from '@waybill/client';
import { quotaInWords } from '@waybill/client/words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { useOffered } from '../actions/offer.js';
import { useMay } from '../app/me.js';
import { HistoryCard } from '../events/history.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { Fold } from '../ui/fold.js';
import { Empty } from '../ui/notice.js';
import { None } from '../ui/number.js';
import { plural, whole } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Tabs } from '../ui/tabs.js';
import { Ago } from '../ui/time.js';
import { duration } from '../ui/times.js';
import { ERASE, PURGE } from './erase-action.js';
import { SealedLog } from './sealed-log.js';
import { drain, rebuild, resume } from './system-actions.js';
import css from './system-page.module.css';
import { useApiKeys, useProjections, useSystem } from './system.queries.js';
import { EventsPutAside, FailingTargets, Quarantine } from './troubles.js';

const route = getRouteApi('/system');

/** That the system drained then stands on every page. */
const OnlyPresent = () => (
  <>
    No event records who leads, how far a process has read the log, or what fails just now. If the system drained then,
    that stands above; what people had done to it is in <Link to="/activity">the activity</Link>.
  </>
);

/** Whether the service itself is well, and how to stop everything for a deployment. */
export function SystemPage() {
  const system = useSystem();
  return (
    <Shown of={system} page="System" onlyPresent={<OnlyPresent />}>
      {(view) => (
        <>
          <PageHead
            title="System"
            beside={<Pill state={view.state === 'draining' ? 'paused' : 'active'} label={view.state} />}
            under={
              view.eventStoreVersion
                ? `The events are in an event store of version ${view.eventStoreVersion}.`
                : undefined
            }
            actions={<Actions subject="the system" actions={[view.drain ? resume : drain(view), ERASE, PURGE]} />}
          />
          <Stack>
            <Sections />
            <Section system={view} />
          </Stack>
        </>
      )}
    </Shown>
  );
}

/** The parts, by what the address calls them. */
const SECTIONS = {
  health: 'Health',
  models: 'Read models',
  log: 'Sealed log',
  keys: 'API keys',
  history: 'History',
} as const;

type Part = keyof typeof SECTIONS;

function usePart(): Part {
  const { tab } = route.useSearch();
  return (Object.keys(SECTIONS) as Part[]).find((one) => one === tab) ?? 'health';
}

function Sections() {
  const here = usePart();
  const maySeeKeys = useMay()({ permission: 'operate' });
  return (
    <Tabs about="Parts of the system">
      {(Object.keys(SECTIONS) as Part[])
        .filter((part) => part !== 'keys' || maySeeKeys)
        .map((part) => (
          <Link
            key={part}
            to="."
            search={(search) => ({ ...search, tab: part === 'health' ? undefined : part })}
            activeOptions={{ exact: true }}
            aria-current={part === here ? 'page' : undefined}
          >
            {SECTIONS[part]}
          </Link>
        ))}
    </Tabs>
  );
}

function Section({ system }: { system: SystemView }) {
  switch (usePart()) {
    case 'health':
      return <Health system={system} />;
    case 'models':
      return <ReadModels />;
    case 'log':
      return <SealedLog />;
    case 'keys':
      return <ApiKeys />;
    case 'history':
      return <HistoryCard of="the system" read={(waybill) => waybill.system.history()} />;
  }
}

/** What is wrong, and who leads; the rest has a part of its own. */
const Health = ({ system }: { system: SystemView }) => (
  <Stack>
    <Card title="What needs somebody">
      <Troubles system={system} />
    </Card>
    <StoppedModels />
    <Quarantine system={system} />
    <FailingTargets system={system} />
    <EventsPutAside system={system} />
    <Leaders system={system} />
  </Stack>
);

const some = (value: number): string | null => (value === 0 ? null : whole(value));

function Troubles({ system }: { system: SystemView }) {
  const found = troublesOf(system);
  return found.length > 0 ? <Facts facts={found} /> : <p>Nothing.</p>;
}

const troublesOf = (system: SystemView) => {
  const found = [
    ['Quarantined tasks', some(system.quarantined)],
    ['Items that fail', some(system.failingItems)],
    ['Triggers that fail', some(system.failingTriggers)],
    ['Skipped occurrences', some(system.skippedOccurrences)],
    ['Delivery targets that fail', some(system.failingTargets)],
    ['Events put aside', some(system.eventsPutAside)],
    [
      'Refused rows of the outbox',
      system.refusedOutboxRows === 0
        ? null
        : `${whole(system.refusedOutboxRows)}; the column refusal of waybill_outbox says why`,
    ],
    ['Tasks that a shutdown stopped', some(system.stopped)],
  ] as const;
  return found.filter(([, value]) => value !== null);
};

/** Nothing if all run. */
function StoppedModels() {
  const stopped = useProjections().data?.filter(({ status }) => status === 'stopped') ?? [];
  const columns = useOffered(MODELS);
  if (stopped.length === 0) return null;
  return (
    <Card title={plural(stopped.length, 'read model has stopped', 'read models have stopped')} flush>
      <Table about="Stopped read models" columns={columns} rows={stopped} keyOf={({ name }) => name} />
    </Card>
  );
}

function ReadModels() {
  const projections = useProjections();
  const columns = useOffered(MODELS);
  return (
    <Card title="Read models and reactions" flush>
      <Shown of={projections}>
        {(items) => <Table about="Read models" columns={columns} rows={items} keyOf={({ name }) => name} />}
      </Shown>
    </Card>
  );
}

const MODELS: readonly Column<ProjectionView>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'State', cell: ({ status }) => <Pill state={status === 'stopped' ? 'stopped' : 'active'} label={status} /> },
  { title: 'Error', isWide: true, says: ({ error }) => error !== null, cell: ({ error }) => error ?? '' },
  {
    title: 'Stopped',
    isNumber: true,
    says: ({ stoppedAt }) => stoppedAt !== null,
    cell: ({ stoppedAt }) => (stoppedAt ? <Ago at={stoppedAt} /> : ''),
  },
  {
    title: 'Behind',
    isNumber: true,
    cell: ({ lagSeconds }) => (lagSeconds === 0 ? <None /> : duration(lagSeconds * 1_000)),
  },
  { title: 'Events behind', isNumber: true, cell: ({ lagEvents }) => (lagEvents ? whole(lagEvents) : <None />) },
  { title: 'Position', isNumber: true, cell: ({ position }) => position },
  { title: 'Actions', cell: ({ name }) => <Actions subject={name} actions={[rebuild(name)]} /> },
];

/** Which process leads each role, and how long ago any process swept. */
const Leaders = ({ system: { leaders, lastSweepSeconds } }: { system: SystemView }) => (
  <Card
    title="Leaders"
    aside={lastSweepSeconds === null ? 'No process has swept yet' : `swept ${duration(lastSweepSeconds * 1_000)} ago`}
    flush
  >
    <Roles about="Leaders" leaders={leaders.filter(isVacant)} />
    <div className={css.led}>
      <Fold title={`${plural(leaders.filter((one) => !isVacant(one)).length, 'role has', 'roles have')} a leader`}>
        <Roles about="Roles with a leader" leaders={leaders.filter((one) => !isVacant(one))} />
      </Fold>
    </div>
  </Card>
);

const isVacant = ({ state }: LeaderView): boolean => state === 'vacant';

const Roles = ({ about, leaders }: { about: string; leaders: readonly LeaderView[] }) =>
  leaders.length === 0 ? null : <Table about={about} columns={LEADERS} rows={leaders} keyOf={({ role }) => role} />;

const LEADERS: readonly Column<LeaderView>[] = [
  { title: 'Role', cell: ({ role }) => role },
  { title: 'State', cell: ({ state }) => <Pill state={state === 'vacant' ? 'stopped' : 'active'} label={state} /> },
  { title: 'Process', isWide: true, cell: ({ process }) => process },
  { title: 'Since', isNumber: true, cell: ({ since }) => <Ago at={since} /> },
  { title: 'Last round', isNumber: true, cell: ({ workedAt }) => (workedAt ? <Ago at={workedAt} /> : <None />) },
];

/** Nothing for a reader whose own key may not see them. */
const ApiKeys = () => (useMay()({ permission: 'operate' }) ? <KnownKeys /> : null);

function KnownKeys() {
  const keys = useApiKeys();
  return (
    <Card title="API keys" flush>
      <Shown of={keys} lines={2}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="The service requires no API keys" />
          ) : (
            <Table about="API keys" columns={KEYS} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Shown>
    </Card>
  );
}

const KEYS: readonly Column<ApiKeyView>[] = [
  { title: 'Name', cell: ({ name, id }) => <span title={id}>{name}</span> },
  { title: 'May', isWide: true, cell: ({ may }) => may.join(', ') },
  { title: 'Quota', cell: ({ quota }) => quotaInWords(quota) },
  { title: 'Expires', isNumber: true, cell: ({ expiresAt }) => (expiresAt ? <Ago at={expiresAt} /> : 'never') },
  { title: 'Last used', isNumber: true, cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : 'never') },
];
