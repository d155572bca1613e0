import type { TriggerView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { MadeLast } from './made-last.js';
import { madeBy } from './made-by.js';
import { DEFINE } from './trigger-actions.js';
import { MOST_TRIGGERS, useTriggers } from './triggers.queries.js';

export function TriggersPage() {
  const triggers = useTriggers();
  return (
    <>
      <PageHead
        title="Triggers"
        actions={<Actions subject="of times, a queue, events or deliveries" actions={[DEFINE]} />}
      />
      <Shown of={triggers}>{(items) => <Triggers items={items} />}</Shown>
    </>
  );
}

function Triggers({ items }: { items: readonly TriggerView[] }) {
  if (items.length === 0) return <NoTriggers />;
  return (
    <Card
      title={items.length === MOST_TRIGGERS ? `The first ${MOST_TRIGGERS} triggers` : plural(items.length, 'trigger')}
      flush
    >
      <Table about="Triggers" columns={COLUMNS} rows={items} keyOf={({ name }) => name} />
    </Card>
  );
}

const COLUMNS: readonly Column<TriggerView>[] = [
  {
    title: 'Trigger',
    cell: ({ name }) => (
      <Link to="/triggers/$trigger" params={{ trigger: name }}>
        {name}
      </Link>
    ),
  },
  {
    title: 'State',
    cell: ({ state, failure }) => <Pill state={failure ? 'failed' : state} label={failure ? 'failing' : state} />,
  },
  { title: 'When', cell: ({ words }) => words },
  { title: 'Makes', isWide: true, cell: (trigger) => madeBy(trigger) },
  { title: 'Next', isNumber: true, cell: ({ next }) => (next[0] ? <Ago at={next[0]} /> : '') },
  { title: 'Made last', says: ({ last }) => last !== null, cell: (trigger) => <MadeLast trigger={trigger} /> },
  {
    title: 'Last',
    isNumber: true,
    says: ({ last }) => last !== null,
    cell: ({ last }) => (last ? <Ago at={last.firedAt} /> : ''),
  },
];

const NoTriggers = () => (
  <Empty title="There is no trigger yet">
    <p>
      A trigger makes a task at every time of a pattern, of what waits in a queue, of events, or of what others sign and
      send.
    </p>
    <CodeBlock
      text={`npx waybill trigger schedule nightly-report '30 2 * * 1-5' '{"queue": "reports"}' --time-zone Europe/Berlin`}
      about="A command that makes a trigger"
    />
  </Empty>
);
