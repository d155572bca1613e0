import { useState } from 'react';
import { Actions } from '../actions/actions.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Input } from '../ui/field.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { DEFINE } from './queue-actions.js';
import { QueuesTable } from './queues-table.js';
import { MOST_QUEUES, type QueueRow, useInternalRows, useQueueRows } from './queues.queries.js';

/** All queues: those that need somebody come first, those of the service itself last. */
export function QueuesPage() {
  const queues = useQueueRows();
  return (
    <>
      <PageHead title="Queues" actions={<Actions subject="with a policy" actions={[DEFINE]} />} />
      <Stack>
        <Shown of={queues}>{(rows) => (rows.length === 0 ? <NoQueues /> : <Found rows={rows} />)}</Shown>
        <Internal />
      </Stack>
    </>
  );
}

function Found({ rows }: { rows: readonly QueueRow[] }) {
  const [typed, setTyped] = useState('');
  return (
    <Card
      title={rows.length === MOST_QUEUES ? `The first ${MOST_QUEUES} queues` : plural(rows.length, 'queue')}
      aside={
        <Input
          type="search"
          aria-label="Find a queue"
          placeholder="Find"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      }
      flush
    >
      <QueuesTable about="Queues" rows={rows.filter(({ view }) => view.name.includes(typed.trim()))} />
    </Card>
  );
}

function Internal() {
  const { data: rows = [] } = useInternalRows();
  if (rows.length === 0) return null;
  return (
    <Card title="Queues of the service itself" flush>
      <QueuesTable about="Queues of the service itself" rows={rows} />
    </Card>
  );
}

const NoQueues = () => (
  <Empty title="There is no queue yet">
    <p>A program makes one with `waybill.queue('mail').define()`, or you do here and now:</p>
    <CodeBlock text="npx waybill queue define mail" about="The command that makes a queue" />
  </Empty>
);
