import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { Button } from '../ui/button.js';
import { PageHead } from '../ui/page-head.js';
import { Stack } from '../ui/stack.js';
import { SearchInput } from './search-input.js';
import css from './tasks-page.module.css';
import { enqueue } from './enqueue-action.js';
import { SavedViews } from './saved-views.js';
import { SharedViews } from './shared-views.js';
import { TaskList } from './task-list.js';

const route = getRouteApi('/tasks');

/** Searches that people begin with. */
const QUICK = ['state:failed', 'state:running', 'state:held,undecided', 'state:failed since:24h'] as const;

/** Every task that a search finds. */
export function TasksPage() {
  const { q = '', overdue, sort, view } = route.useSearch();
  const listed = { q, isOverdue: overdue === 'true', isByDeadline: sort === 'deadline' };
  const shown = { q: q || undefined, overdue, sort };
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={view ?? 'Tasks'} actions={<Actions subject="in a queue" actions={[enqueue()]} />} />
      <Stack>
        <form
          key={q}
          role="search"
          className={css.search}
          onSubmit={(event) => {
            event.preventDefault();
            const typed = String(new FormData(event.currentTarget).get('q')).trim();
            void navigate({
              to: '/tasks',
              search: (search: object) => ({ ...search, q: typed || undefined, view: undefined }),
            });
          }}
        >
          <SearchInput q={q} />
          <Button type="submit" kind="primary">
            Search
          </Button>
        </form>
        <div className={css.quick}>
          {QUICK.map((one) => (
            <Link key={one} to="/tasks" search={{ q: one }}>
              {one}
            </Link>
          ))}
          <Link
            to="/tasks"
            search={(search) => ({ ...search, overdue: overdue ? undefined : 'true', view: undefined })}
            activeOptions={{ exact: true }}
            aria-current={overdue ? 'true' : undefined}
          >
            past their deadlines
          </Link>
          <Link
            to="/tasks"
            search={(search) => ({ ...search, sort: sort ? undefined : 'deadline', view: undefined })}
            activeOptions={{ exact: true }}
            aria-current={sort ? 'true' : undefined}
          >
            by deadline
          </Link>
        </div>
        <div className={css.views}>
          <SavedViews shown={shown} name={view} />
          <SharedViews shown={shown} name={view} />
        </div>
        <TaskList key={JSON.stringify(listed)} listed={listed} />
      </Stack>
    </>
  );
}
