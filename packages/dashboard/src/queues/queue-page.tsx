import type { QueueView } from '@waybill/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Visited } from '../app/visits.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { Tabs } from '../ui/tabs.js';
import { HistoryTab } from './history-tab.js';
import { OverviewTab } from './overview-tab.js';
import { PolicyTab } from './policy-tab.js';
import { commandsOn } from './queue-actions.js';
import { QueueCounts } from './queue-counts.js';
import { useQueue, useQueueStats } from './queue.queries.js';
import { Expiry } from './expiry.js';
import { Retention, retains } from './retention.js';
import { Unattended } from './unattended.js';

const route = getRouteApi('/queues/$queue');

/** The views, by what the address calls them. */
const TABS = { overview: 'Overview', policy: 'Policy', history: 'History' } as const;

type Tab = keyof typeof TABS;

/** Asks for the queue first: if there is none, the rest is no use. */
export function QueuePage() {
  const { queue: name } = route.useParams();
  const queue = useQueue(name);
  return (
    <Shown of={queue} page={name}>
      {(view) => <Queue view={view} />}
    </Shown>
  );
}

function Queue({ view }: { view: QueueView }) {
  const { tab: asked } = route.useSearch();
  const { expireDays } = view.policy;
  const tab = (Object.keys(TABS) as Tab[]).find((one) => one === asked) ?? 'overview';
  return (
    <>
      <Visited sort="queue" id={view.name} />
      <PageHead
        title={view.name}
        beside={<States view={view} />}
        under={view.description || undefined}
        actions={<Actions subject={`queue ${view.name}`} queue={view.name} actions={commandsOn(view)} />}
      />
      <Stack>
        <Numbers name={view.name} />
        <Tabs about="Views of the queue">
          {(Object.keys(TABS) as Tab[]).map((one) => (
            <Link
              key={one}
              to="."
              search={(search) => ({
                ...search,
                tab: one === 'overview' ? undefined : one,
                from: undefined,
                to: undefined,
              })}
              activeOptions={{ exact: true }}
              aria-current={one === tab ? 'page' : undefined}
            >
              {TABS[one]}
            </Link>
          ))}
        </Tabs>
        {tab === 'overview' ? <OverviewTab view={view} /> : null}
        {tab === 'policy' ? <PolicyTab view={view} /> : null}
        {tab === 'history' ? <HistoryTab queue={view.name} /> : null}
        {tab !== 'history' && retains(view) ? <Retention queue={view.name} /> : null}
        {tab !== 'history' && expireDays !== null ? <Expiry queue={view.name} days={expireDays} /> : null}
      </Stack>
    </>
  );
}

const States = ({ view: { state, intake } }: { view: QueueView }) => (
  <>
    <Pill state={state} />
    {intake.open ? null : <Pill state="held" label="intake closed" />}
  </>
);

function Numbers({ name }: { name: string }) {
  const stats = useQueueStats(name);
  return (
    <Shown of={stats} lines={2}>
      {(data) => (
        <>
          <QueueCounts stats={data} />
          <Unattended stats={data} />
        </>
      )}
    </Shown>
  );
}
