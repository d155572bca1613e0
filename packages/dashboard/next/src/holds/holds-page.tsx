import type { HoldView, ResourceView } from '@waybill/client';
import { Actions } from '../app/action.js';
import { firstOf, useLive } from '../app/live.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Empty } from '../ui/notice.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';

const MOST = 200;

const useHolds = () => useLive(['holds'], (waybill) => firstOf(waybill.holds.list({ limit: MOST }), MOST));
const useResources = () => useLive(['resources'], (waybill) => firstOf(waybill.resources.list({ limit: MOST }), MOST));

/** What keeps tasks from running by their labels, and by what their steps need. */
export function HoldsPage() {
  const holds = useHolds();
  const resources = useResources();
  return (
    <>
      <PageHead title="Holds and resources" />
      <Stack>
        <Card title="Holds" flush>
          <Shown of={holds} lines={3}>
            {(items) => <Holds items={items} />}
          </Shown>
        </Card>
        <Card title="Resources" flush>
          <Shown of={resources} lines={3}>
            {(items) => <Resources items={items} />}
          </Shown>
        </Card>
      </Stack>
    </>
  );
}

const Holds = ({ items }: { items: readonly HoldView[] }) =>
  items.length === 0 ? (
    <Empty title="No hold is placed" />
  ) : (
    <Table about="Holds" columns={HOLDS} rows={items} keyOf={({ name }) => name} />
  );

const HOLDS: readonly Column<HoldView>[] = [
  { title: 'Hold', cell: ({ name }) => name },
  {
    title: 'Labels',
    cell: ({ labels }) =>
      Object.entries(labels)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
  { title: 'Why', isWide: true, cell: ({ reason }) => reason ?? '' },
  { title: 'Who', cell: ({ placedBy }) => placedBy },
  { title: 'Since', isNumber: true, cell: ({ placedAt }) => <Ago at={placedAt} /> },
  { title: 'Tasks', isNumber: true, cell: ({ holds }) => (holds === null ? '' : <Count value={holds} />) },
  { title: 'Lift', cell: ({ name }) => <Lift hold={name} /> },
];

const Lift = ({ hold }: { hold: string }) => (
  <Actions
    subject={`hold ${hold}`}
    actions={[
      {
        name: 'Lift',
        about:
          'Tasks with its labels run again when their turn comes. Those that it caught stay held, and can be released.',
        cli: `waybill hold lift ${hold}`,
        run: (waybill, reason) => waybill.holds.lift(hold, { reason }),
      },
    ]}
  />
);

const Resources = ({ items }: { items: readonly ResourceView[] }) =>
  items.length === 0 ? (
    <Empty title="No resource is defined" />
  ) : (
    <Table about="Resources" columns={RESOURCES} rows={items} keyOf={({ name }) => name} />
  );

const RESOURCES: readonly Column<ResourceView>[] = [
  { title: 'Resource', cell: ({ name }) => name },
  {
    title: 'State',
    cell: ({ state }) => (state ? <Pill state={state === 'stale' ? 'stopped' : 'active'} label={state} /> : ''),
  },
  { title: 'About', isWide: true, cell: ({ description }) => description },
  { title: 'Value', isNumber: true, cell: ({ value, unit }) => (value === null ? '' : `${value} ${unit ?? ''}`) },
  { title: 'Measured', isNumber: true, cell: ({ measuredAt }) => (measuredAt ? <Ago at={measuredAt} /> : 'never') },
];
