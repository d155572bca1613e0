import type { OperationRecord } from './operation-record.port.js';

/** The tasks of an undo that bring one another back. */
export interface Together {
  /** Each after all that it waits for. */
  readonly tasks: readonly string[];
  /** Those that the operation took along, if they are its own doing. */
  readonly along: ReadonlySet<string>;
  /** What each of them waits for of the others. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
}

/** The tasks of an abort and those that wait for them, or did, directly or over others, at most so many. */
export async function withTakenAlong(record: OperationRecord, own: readonly string[], most: number): Promise<Together> {
  const found = new Set(own);
  for (let last = own; last.length > 0 && found.size < most;) {
    const waiters = await record.waitersOf(last, most);
    last = waiters.filter((task) => !found.has(task)).slice(0, most - found.size);
    for (const task of last) found.add(task);
  }
  const links = await record.linksAmong([...found]);
  const along = new Set([...found].slice(own.length));
  return { tasks: inOrder([...found], links), along, needs: listsOf(links, 'task', 'needs') };
}

/** Each after all that it waits for: nothing waits for itself. */
function inOrder(all: readonly string[], links: readonly Link[]): readonly string[] {
  const waiters = listsOf(links, 'needs', 'task');
  const open = new Map([...listsOf(links, 'task', 'needs')].map(([task, needs]) => [task, needs.length]));
  const tasks = all.filter((task) => !open.has(task));
  for (const task of tasks)
    for (const waiter of waiters.get(task) ?? []) {
      open.set(waiter, open.get(waiter)! - 1);
      if (open.get(waiter) === 0) tasks.push(waiter);
    }
  return tasks;
}

type Link = Awaited<ReturnType<OperationRecord['linksAmong']>>[number];

function listsOf(links: readonly Link[], by: keyof Link, what: keyof Link): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>();
  for (const link of links) {
    const list = lists.get(link[by]) ?? [];
    lists.set(link[by], list);
    list.push(link[what]);
  }
  return lists;
}
