import { idOf } from '../../domain/task/prerequisites.js';
import type { Prerequisite } from '../../domain/task/task.events.js';
import type { PrerequisitesRequest, Prerequisite as Named } from '../dto/prerequisite.dto.js';
import type { Ids, Naming } from './operation.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The prerequisites in the form to store. `pointer` is the place of the list in the body. */
export const prerequisitesOf = (named: readonly Named[], pointer: string): Prerequisite[] =>
  named.map((one, at) => prerequisiteOf(one, `${pointer}/${at}`));

/** What the request adds and waives. Throws `InvalidInput` if that is nothing, or one prerequisite is in both lists. */
export function arrangementOf({ add = [], waive = [] }: PrerequisitesRequest) {
  if (add.length + waive.length === 0)
    throw new InvalidInput([{ pointer: '', detail: "Expected prerequisites to 'add' or to 'waive', but got none" }]);
  const added = prerequisitesOf(add, '/add');
  const ids = new Set(added.map(idOf));
  const twice = waive.findIndex((id) => ids.has(id));
  if (twice < 0) return { add: added, waive };
  const pointer = `/waive/${twice}`;
  throw new InvalidInput([
    { pointer, detail: "Expected a prerequisite in 'add' or in 'waive', but this one is in both" },
  ]);
}

/** The tasks and batches that parts of a request name. */
export const idsNamedBy = (parts: readonly Naming[]): Ids => ({
  tasks: parts.flatMap(({ task, after = [] }) => [...(task ? [task] : []), ...idsNamedBy(after).tasks]),
  batches: parts.flatMap(({ batch, after = [] }) => [...(batch ? [batch] : []), ...idsNamedBy(after).batches]),
});

/** Puts what `name` returns in the place of every id. */
export function renameIds(parts: readonly Naming[], name: (id: string) => string): void {
  for (const part of parts) {
    if (part.task !== undefined) part.task = name(part.task);
    if (part.batch !== undefined) part.batch = name(part.batch);
    renameIds(part.after ?? [], name);
  }
}

function prerequisiteOf({ task, batch, ignore }: Named, pointer: string): Prerequisite {
  const ignored = ignore ? { ignore } : {};
  if (task !== undefined && batch === undefined) return { task, ...ignored };
  if (batch !== undefined && task === undefined) return { batch, ...ignored };
  const named = task === undefined ? 'neither' : 'both';
  throw new InvalidInput([{ pointer, detail: `Expected either 'task' or 'batch', but got ${named}` }]);
}
