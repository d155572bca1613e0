import { useState } from 'react';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Input } from '../ui/field.js';
import { Empty } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { PageHead } from '../ui/page-head.js';
import { Shown } from '../ui/shown.js';
import { QueuesTable } from './queues-table.js';
import { MOST_QUEUES, useQueueRows } from './queues.queries.js';

export function QueuesPage() {
  const queues = useQueueRows();
  const [typed, setTyped] = useState('');
  return (
    <>
      <PageHead title="Queues" />
      <Shown of={queues}>
        {(rows) =>
          rows.length === 0 ? (
            <NoQueues />
          ) : (
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
              <QueuesTable rows={rows.filter(({ view }) => view.name.includes(typed.trim()))} />
            </Card>
          )
        }
      </Shown>
    </>
  );
}

const NoQueues = () => (
  <Empty title="There is no queue yet">
    <p>A program makes one with `waybill.queue('mail').define()`, or you do here and now:</p>
    <CodeBlock text="npx waybill queue define mail" about="The command that makes a queue" />
  </Empty>
);
