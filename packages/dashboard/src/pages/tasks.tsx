import type { TaskFilter, TaskPage as Page, TaskStatus, TaskSummary } from '@waybill/client';
import { useState } from 'preact/hooks';
import { useLive } from '../live.js';
import { Shown, Trouble } from '../parts/shown.js';
import { TaskTable } from '../parts/task-table.js';
import { type Filter, FILTERS, hashOf } from '../route.js';
import { service } from '../service.js';

const PAGE = 50;

const STATES: readonly TaskStatus[] = [
  'prepared',
  'pending',
  'held',
  'running',
  'errored',
  'failed',
  'succeeded',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
];

export function TasksPage({ filter, isLive }: { filter: Filter; isLive: boolean }) {
  const read = (cursor: string | undefined, signal?: AbortSignal): Promise<Page> =>
    service().tasks.page(asked(filter), { limit: PAGE, cursor, signal });
  const live = useLive(hashOf({ page: 'tasks', filter }), (signal) => read(undefined, signal), isLive);
  return (
    <>
      <h1>Tasks</h1>
      <FilterForm filter={filter} />
      <Shown live={live}>{(first) => <Tasks first={first} more={read} />}</Shown>
    </>
  );
}

/** A label is typed as `name=value`. */
export function asked({ label, state, ...filter }: Filter): TaskFilter {
  const [name, ...value] = label?.split('=') ?? [];
  return {
    ...filter,
    ...(state && { state: state as TaskStatus }),
    ...(name && { label: { name, value: value.join('=') } }),
  };
}

/** It says only what it begins with: a value that it insisted on would overwrite, at every look, what somebody types. */
export function FilterForm({ filter }: { filter: Filter }) {
  return (
    <form
      class="filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        const said = FILTERS.map((name) => [name, String(typed.get(name) ?? '').trim()]);
        location.hash = hashOf({ page: 'tasks', filter: Object.fromEntries(said) });
      }}
    >
      {FILTERS.map((name) =>
        name === 'state' ? (
          <label key={name}>
            state{' '}
            <select name="state">
              <option value="">any</option>
              {STATES.map((state) => (
                <option key={state} value={state} selected={state === filter.state}>
                  {state}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <label key={name}>
            {name}{' '}
            <input
              name={name}
              defaultValue={filter[name] ?? ''}
              size={12}
              placeholder={name === 'label' ? 'name=value' : ''}
            />
          </label>
        ),
      )}
      <button type="submit">Find</button>
    </form>
  );
}

interface TasksProps {
  readonly first: Page;
  readonly more: (cursor: string) => Promise<Page>;
}

/** The first page is looked at again and again; what was asked for behind it stands still. */
export function Tasks({ first, more }: TasksProps) {
  const [later, setLater] = useState<Page | null>(null);
  const [error, setError] = useState<unknown>(null);
  const cursor = later ? later.nextCursor : first.nextCursor;
  const read = async (): Promise<void> => {
    try {
      const { items, nextCursor } = await more(cursor!);
      setLater({ items: [...(later?.items ?? []), ...items], nextCursor });
      setError(null);
    } catch (failed) {
      setError(failed);
    }
  };
  const tasks = withoutRepeats([...first.items, ...(later?.items ?? [])]);
  if (tasks.length === 0) return <p class="quiet">No task matches.</p>;
  return (
    <>
      <TaskTable tasks={tasks} />
      {error ? <Trouble error={error} /> : null}
      {cursor === null ? null : (
        <p class="buttons">
          <button type="button" onClick={() => void read()}>
            More
          </button>
        </p>
      )}
    </>
  );
}

/** A task that came to the first page since the others were read is shown there. */
function withoutRepeats(tasks: readonly TaskSummary[]): TaskSummary[] {
  const seen = new Set<string>();
  return tasks.filter(({ id }) => !seen.has(id) && seen.add(id));
}
