import type { ActivityItem } from '@waybill/client';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Field } from '../ui/field.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { type ActivityFilter, MOST_ACTIVITY, useActivity } from './activity.queries.js';
import css from './activity-page.module.css';
import { folded, type FoldedActivity } from './folded.js';
import { SubjectLink, SubjectsLink, whatOf } from './subject-link.js';

const route = getRouteApi('/activity');

/** Who did what, when and why. */
export function ActivityPage() {
  const filter = route.useSearch();
  const activity = useActivity(filter);
  return (
    <>
      <PageHead title="Activity" under="What people and programs ordered, the newest first." />
      <Stack>
        <Filters filter={filter} />
        <Shown of={activity}>{({ items }) => <Items items={items} />}</Shown>
      </Stack>
    </>
  );
}

function Filters({ filter: { actor, queue, since } }: { filter: ActivityFilter }) {
  const navigate = useNavigate();
  const ask = (typed: FormData): void => {
    const text = (name: string): string | undefined => String(typed.get(name)).trim() || undefined;
    void navigate({ to: '/activity', search: { actor: text('actor'), queue: text('queue'), since: text('since') } });
  };
  return (
    <form
      key={[actor, queue, since].join('\n')}
      role="search"
      className={css.filters}
      onSubmit={(event) => {
        event.preventDefault();
        ask(new FormData(event.currentTarget));
      }}
    >
      <Field label="Who" name="actor" defaultValue={actor} placeholder="anybody" />
      <Field label="Queue" name="queue" defaultValue={queue} placeholder="any" />
      <Field label="Since" name="since" defaultValue={since} placeholder="24h" />
      <Button type="submit">Show</Button>
    </form>
  );
}

function Items({ items }: { items: readonly ActivityItem[] }) {
  if (items.length === 0) return <Empty title="Nobody ordered anything in this time" />;
  return (
    <Card
      title={items.length === MOST_ACTIVITY ? `The latest ${MOST_ACTIVITY}` : plural(items.length, 'command')}
      flush
    >
      <Table
        about="Activity"
        columns={COLUMNS}
        rows={folded(items)}
        keyOf={({ item: { position, subject } }) => `${position} ${subject}`}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<FoldedActivity>[] = [
  { title: 'When', cell: ({ item: { at } }) => <Ago at={at} /> },
  {
    title: 'Who',
    cell: ({ item: { by, agent } }) => (
      <Link to="/activity" search={{ actor: by }}>
        {agent ? `${by} by ${agent}` : by}
      </Link>
    ),
  },
  { title: 'What', cell: ({ item, count }) => `${whatOf(item)}${count > 1 ? ` × ${count}` : ''}` },
  {
    title: 'Of',
    cell: ({ item, lines }) => (lines === 1 ? <SubjectLink item={item} /> : <SubjectsLink item={item} lines={lines} />),
  },
  {
    title: 'Why',
    isWide: true,
    says: ({ item: { reason } }) => reason !== null,
    cell: ({ item: { reason } }) => reason ?? '',
  },
];
