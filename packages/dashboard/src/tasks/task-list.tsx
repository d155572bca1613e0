import type { TaskSummary } from '@waybill/client';
import { useOffer } from '../actions/offer.js';
import { queueIn } from '../app/search-text.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { ErrorNotice, Loading } from '../ui/notice.js';
import { plural, whole } from '../ui/numbers.js';
import { useSelection } from '../ui/selection.js';
import { BulkBar } from './bulk-bar.js';
import css from './task-list.module.css';
import { type ListedTasks, useListed, useTaskPages } from './tasks.queries.js';
import { TasksTable } from './tasks-table.js';

/** What a search finds. Rows stay where they are while people read: what is known anew of them is shown, and new ones are counted. */
export function TaskList({ listed }: { listed: ListedTasks }) {
  const pages = useTaskPages(listed);
  const { data: newest = [] } = useListed(listed);
  const loaded = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  const selection = useSelection(loaded.map(({ id }) => id));
  const isOffered = useOffer()({ permission: 'operate', queue: queueIn(listed.q) });
  if (pages.error && loaded.length === 0) return <ErrorNotice error={pages.error} />;
  if (pages.isPending) return <Loading />;
  const tasks = updated(loaded, newest);
  const arrived = newest.filter(({ id }) => !loaded.some((task) => task.id === id)).length;
  return (
    <>
      {isOffered ? <BulkBar listed={listed} selection={selection} hasMore={pages.hasNextPage} /> : null}
      <Card
        title={pages.hasNextPage ? `The first ${whole(tasks.length)} tasks` : plural(tasks.length, 'task')}
        aside={<Arrived tasks={arrived} onShow={() => void pages.refetch()} />}
        flush
      >
        <TasksTable tasks={tasks} none="No task matches." selection={isOffered ? selection : undefined} />
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

/** The loaded tasks as they are now, as far as the newest answer tells. */
function updated(loaded: readonly TaskSummary[], newest: readonly TaskSummary[]): TaskSummary[] {
  const byId = new Map(newest.map((task) => [task.id, task]));
  return loaded.map((task) => byId.get(task.id) ?? task);
}

const Arrived = ({ tasks, onShow }: { tasks: number; onShow: () => void }) => (
  <span role="status">
    {tasks > 0 ? (
      <Button kind="bare" onClick={onShow}>
        {whole(tasks)} new
      </Button>
    ) : null}
  </span>
);
