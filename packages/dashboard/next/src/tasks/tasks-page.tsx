import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Button } from '../ui/button.js';
import { Input } from '../ui/field.js';
import { PageHead } from '../ui/page-head.js';
import { Stack } from '../ui/stack.js';
import css from './tasks-page.module.css';
import { TaskList } from './task-list.js';

const route = getRouteApi('/tasks');

/** Searches that people begin with. */
const QUICK = ['state:failed', 'state:running', 'state:held,undecided', 'state:failed since:24h'] as const;

/** Every task that a search finds. */
export function TasksPage() {
  const { q = '' } = route.useSearch();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title="Tasks" />
      <Stack>
        <form
          key={q}
          role="search"
          className={css.search}
          onSubmit={(event) => {
            event.preventDefault();
            const typed = String(new FormData(event.currentTarget).get('q')).trim();
            void navigate({ to: '/tasks', search: { q: typed || undefined } });
          }}
        >
          <Input
            name="q"
            type="search"
            aria-label="Search tasks"
            defaultValue={q}
            placeholder={`queue:mail state:failed error:"timed out" since:2h`}
          />
          <Button type="submit" kind="primary">
            Search
          </Button>
        </form>
        <p className={css.quick}>
          {QUICK.map((one) => (
            <Link key={one} to="/tasks" search={{ q: one }}>
              {one}
            </Link>
          ))}
        </p>
        <TaskList key={q} q={q} />
      </Stack>
    </>
  );
}
