import type { TaskSummary } from '@waybill/client';
import { useMemo, useState } from 'react';
import { useOffer } from '../actions/offer.js';
import { queueIn } from '../app/search-text.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { ErrorNotice, Loading } from '../ui/notice.js';
import { plural, whole } from '../ui/numbers.js';
import { useSelection } from '../ui/selection.js';
import { BulkBar } from './bulk-bar.js';
import { newcomers, updated } from './newest.js';
import css from './task-list.module.css';
import type { ListedTasks } from './listed-tasks.js';
import { PAGE, useListed, useTaskPages } from './tasks.queries.js';
import { TasksTable } from './tasks-table.js';

const NONE: readonly TaskSummary[] = [];

/** What a search finds; as people scroll, more of it is loaded. Rows stay where they are while people read: what is known anew of them is shown, and new ones are counted. */
export function TaskList({ listed }: { listed: ListedTasks }) {
  const [round, setRound] = useState(0);
  const pages = useTaskPages(listed, round);
  const { data: newest = NONE } = useListed(listed);
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const ids = useMemo(() => loaded.map(({ id }) => id), [loaded]);
  const tasks = useMemo(() => updated(loaded, newest), [loaded, newest]);
  const arrived = useMemo(() => newcomers(ids, newest), [ids, newest]);
  const selection = useSelection(ids);
  const isOffered = useOffer()({ permission: 'operate', queue: queueIn(listed.q) });
  if (pages.error && loaded.length === 0) return <ErrorNotice error={pages.error} />;
  if (pages.isPending) return <Loading />;
  return (
    <>
      {isOffered ? <BulkBar listed={listed} selection={selection} hasMore={pages.hasNextPage} /> : null}
      <Card
        title={pages.hasNextPage ? `The first ${whole(tasks.length)} tasks` : plural(tasks.length, 'task')}
        aside={<Arrived tasks={arrived} onShow={() => setRound(round + 1)} />}
        flush
      >
        <TasksTable
          tasks={tasks}
          none="No task matches."
          selection={isOffered ? selection : undefined}
          onEnd={pages.hasNextPage && !pages.isFetching && !pages.error ? () => void pages.fetchNextPage() : undefined}
        />
        {pages.hasNextPage ? (
          <div className={css.foot}>
            <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetchingNextPage}>
              More
            </Button>
          </div>
        ) : null}
      </Card>
    </>
  );
}

const Arrived = ({ tasks, onShow }: { tasks: number; onShow: () => void }) => (
  <span role="status" className={css.arrived}>
    {tasks > 0 ? (
      <Button kind="bare" onClick={onShow}>
        {whole(tasks)}
        {tasks === PAGE ? ' or more' : ''} new
      </Button>
    ) : null}
  </span>
);
