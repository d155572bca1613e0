import type { HoldView, ResourceView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { useOffered } from '../actions/offer.js';
import { firstOf, useLive } from '../app/live.js';
import { HistoryButton } from '../events/history.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { changeResource, DEFINE_RESOURCE, deleteResource, lift, measure, PLACE } from './hold-actions.js';
import { Needs } from './needs.js';

/** The most that the page shows of each. The command line lists more. */
const MOST = 200;

const useHolds = () => useLive(['holds'], (waybill) => firstOf(waybill.holds.list({ limit: MOST }), MOST));
const useResources = () => useLive(['resources'], (waybill) => firstOf(waybill.resources.list({ limit: MOST }), MOST));

/** What keeps tasks from running by their labels, and by what their steps need. */
export function HoldsPage() {
  const holds = useHolds();
  const resources = useResources();
  return (
    <>
      <PageHead
        title="Holds and resources"
        actions={<Actions subject="for tasks with labels" actions={[PLACE, { ...DEFINE_RESOURCE, isRare: true }]} />}
      />
      <Stack>
        <Card title="Holds" aside={mostOf(holds.data)} flush>
          <Shown of={holds} lines={3}>
            {(items) => <Holds items={items} />}
          </Shown>
        </Card>
        <Card title="Resources" aside={mostOf(resources.data)} flush>
          <Shown of={resources} lines={3}>
            {(items) => <Resources items={items} />}
          </Shown>
        </Card>
      </Stack>
    </>
  );
}

const mostOf = (items: readonly unknown[] | undefined): string | null =>
  items?.length === MOST ? `the first ${MOST}` : null;

function Holds({ items }: { items: readonly HoldView[] }) {
  const columns = useOffered(HOLDS);
  return items.length === 0 ? (
    <Empty title="No hold is in force">
      <p>A hold keeps tasks with certain labels from running, in every queue.</p>
      <CodeBlock
        text={`npx waybill hold place maps --label collection=maps --reason 'the rights are being cleared'`}
        about="A command that places a hold"
      />
    </Empty>
  ) : (
    <Table about="Holds" columns={columns} rows={items} keyOf={({ name }) => name} />
  );
}

const pairsOf = (labels: HoldView['labels']): string[] => Object.entries(labels).map((pair) => pair.join('='));

const HOLDS: readonly Column<HoldView>[] = [
  { title: 'Hold', cell: ({ name }) => name },
  { title: 'Tasks with', cell: ({ labels }) => pairsOf(labels).join(', ') },
  { title: 'Why', isWide: true, cell: ({ reason }) => reason ?? '' },
  { title: 'Who', cell: ({ placedBy }) => placedBy },
  { title: 'Since', isNumber: true, cell: ({ placedAt }) => <Ago at={placedAt} /> },
  { title: 'Holds', isNumber: true, isFirst: true, cell: (hold) => <Held hold={hold} /> },
  { title: 'Actions', cell: (hold) => <Actions subject={`hold ${hold.name}`} actions={[lift(hold)]} /> },
  {
    title: 'History',
    cell: ({ name }) => <HistoryButton of={`hold ${name}`} read={(waybill) => waybill.holds.history(name)} />,
  },
];

/** Beyond this number, the service counts no further. */
const MOST_COUNTED = 10_000;

/** Leads to the tasks that are held and have its labels. */
function Held({ hold: { labels, holds, forbidsErasure } }: { hold: HoldView }) {
  if (forbidsErasure) return 'no erasure';
  if (holds === null || holds === 0) return <Count value={holds} />;
  const terms = Object.entries(labels).map(([name, value]) => `label.${name}:${JSON.stringify(value)}`);
  return (
    <Link to="/tasks" search={{ q: ['state:held', ...terms].join(' ') }}>
      <Count value={holds} />
      {holds >= MOST_COUNTED ? ' or more' : ''}
    </Link>
  );
}

function Resources({ items }: { items: readonly ResourceView[] }) {
  const columns = useOffered(RESOURCES);
  return items.length === 0 ? (
    <Empty title="There is no resource">
      <p>A resource is what steps need, by a gauge that a worker measures.</p>
      <CodeBlock
        text={'npx waybill resource define working-storage --unit %\nnpx waybill resource measure working-storage 71'}
        about="Commands that define a resource and measure it"
      />
    </Empty>
  ) : (
    <Table about="Resources" columns={columns} rows={items} keyOf={({ name }) => name} />
  );
}

const RESOURCES: readonly Column<ResourceView>[] = [
  { title: 'Resource', cell: ({ name }) => name },
  { title: 'State', cell: (resource) => <ResourceState resource={resource} /> },
  { title: 'Needed by', isWide: true, cell: ({ needs }) => <Needs needs={needs} /> },
  {
    title: 'Gauge',
    isNumber: true,
    cell: ({ value, unit }) => (value === null ? '–' : `${rounded(value)}${unit ?? ''}`),
  },
  { title: 'Measured', isNumber: true, cell: ({ measuredAt }) => (measuredAt ? <Ago at={measuredAt} /> : 'never') },
  { title: 'By', cell: ({ measuredBy }) => measuredBy ?? '' },
  {
    title: 'Actions',
    cell: (resource) => (
      <Actions
        subject={`resource ${resource.name}`}
        actions={[measure(resource), { ...changeResource(resource), isRare: true }, deleteResource(resource)]}
      />
    ),
  },
  {
    title: 'History',
    cell: ({ name }) => <HistoryButton of={`resource ${name}`} read={(waybill) => waybill.resources.history(name)} />,
  },
];

/** Two decimals are enough for people. */
const rounded = (value: number): string => String(Math.round(value * 100) / 100);

function ResourceState({ resource: { state, needs } }: { resource: ResourceView }) {
  if (state === 'stale') return <Pill state="stopped" label="not measured" />;
  if (state === null) return null;
  return needs.every(({ met }) => met) ? <Pill state="active" label="free" /> : <Pill state="paused" label="short" />;
}
