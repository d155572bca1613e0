import type { TaskFilter, TaskPage as Page, TaskStatus, TaskSummary } from '@waybill/client';
import { useRef, useState } from 'preact/hooks';
import { useLive } from '../live.js';
import { Shown } from '../parts/shown.js';
import { Selected } from '../parts/selected.js';
import { type Selecting, TaskTable } from '../parts/task-table.js';
import { type Filter, FILTERS, hashOf } from '../route.js';
import { NOTHING, type Selection, shownOf, toggled, toggledAll } from '../selection.js';
import { service } from '../service.js';

const PAGE = 50;

/** The most tasks that one answer of the service contains. */
const AT_ONCE = 500;

const STATES: readonly TaskStatus[] = [
  'prepared',
  'pending',
  'held',
  'running',
  'undecided',
  'failed',
  'succeeded',
  'cancelled',
  'aborted',
  'superseded',
  'deleted',
];

/** The filters of which there are only some values. */
const CHOICES: { readonly [Name in keyof Filter]?: readonly string[] } = {
  state: STATES,
  overdue: ['true'],
  sort: ['deadline'],
};

export function TasksPage({ filter, isLive }: { filter: Filter; isLive: boolean }) {
  const most = useRef(PAGE);
  const look = (signal: AbortSignal): Promise<Page> =>
    pagesOf((cursor, limit) => service().tasks.page(listed(filter), { cursor, limit, signal }), most.current);
  const live = useLive(hashOf({ page: 'tasks', filter }), look, isLive);
  const more = (): void => {
    most.current += PAGE;
    live.refresh();
  };
  return (
    <>
      <h1>Tasks</h1>
      <FilterForm filter={filter} />
      <Shown live={live}>
        {(first) => <SelectableTasks filter={filter} first={first} onMore={more} onDone={live.refresh} />}
      </Shown>
    </>
  );
}

interface SelectableProps {
  readonly filter: Filter;
  readonly first: Page;
  readonly onMore: () => void;
  readonly onDone: () => void;
}

function SelectableTasks({ filter, first, onMore, onDone }: SelectableProps) {
  const [selection, select] = useState<Selection>(NOTHING);
  const shown = first.items.map(({ id }) => id);
  const ids = shownOf(selection, shown);
  const selecting: Selecting = {
    ids: new Set(ids),
    onToggle: (id) => select(toggled(selection, id, shown)),
    onToggleAll: () => select(toggledAll(selection, shown)),
  };
  return (
    <>
      <Selected
        selection={selection}
        ids={ids}
        filter={asked(filter)}
        hasMore={first.nextCursor !== null}
        onSelect={select}
        onDone={onDone}
      />
      <Tasks first={first} selecting={selecting} onMore={onMore} />
    </>
  );
}

type ReadPage = (cursor: string | undefined, limit: number) => Promise<Page>;

/** Loads all shown tasks again: new tasks move others to the next page, where they would be missed. */
export async function pagesOf(read: ReadPage, most: number): Promise<Page> {
  let seen: Page = { items: [], nextCursor: null };
  do {
    const { items, nextCursor } = await read(seen.nextCursor ?? undefined, Math.min(AT_ONCE, most - seen.items.length));
    seen = { items: [...seen.items, ...items], nextCursor };
  } while (seen.nextCursor !== null && seen.items.length < most);
  return { ...seen, items: withoutRepeats(seen.items) };
}

/** A task that moved while the pages were read may be on two of them. */
function withoutRepeats(tasks: readonly TaskSummary[]): TaskSummary[] {
  const seen = new Set<string>();
  return tasks.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Without a queue, the list leaves the service's own tasks out, as bulk operations do. */
export const listed = (filter: Filter): TaskFilter => ({ ...asked(filter), ...(!filter.queue && { internal: false }) });

/** A label is entered as `name=value`. */
export function asked({ label, state, overdue, sort, ...filter }: Filter): TaskFilter {
  const [name, ...value] = label?.split('=') ?? [];
  return {
    ...filter,
    ...(state && { state: state as TaskStatus }),
    ...(overdue === 'true' && { overdue: true }),
    ...(sort === 'deadline' && { sort }),
    ...(name && { label: { name, value: value.join('=') } }),
  };
}

/**
 * Sets only the initial values of the fields. A controlled field would overwrite the user's input whenever the page
 * loads.
 */
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
        CHOICES[name] ? (
          <label key={name}>
            {name}{' '}
            <select name={name}>
              <option value="">{name === 'sort' ? 'age' : 'any'}</option>
              {CHOICES[name].map((choice) => (
                <option key={choice} value={choice} selected={choice === filter[name]}>
                  {choice}
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
  readonly selecting?: Selecting;
  readonly onMore: () => void;
}

export function Tasks({ first: { items, nextCursor }, selecting, onMore }: TasksProps) {
  if (items.length === 0) return <p class="quiet">No task matches.</p>;
  return (
    <>
      <TaskTable tasks={items} selecting={selecting} />
      {nextCursor === null ? null : (
        <p class="buttons">
          <button type="button" onClick={onMore}>
            More
          </button>
        </p>
      )}
    </>
  );
}
