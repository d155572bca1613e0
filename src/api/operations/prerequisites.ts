import { idOf } from '../../domain/task/prerequisites.js';
import type { Prerequisite } from '../../domain/task/task.events.js';
import type { PrerequisitesRequest, Prerequisite as Named } from '../dto/prerequisite.dto.js';
import type { Ids } from './operation.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The prerequisites in the form to store. `pointer` is the place of the list in the body. */
export const prerequisitesOf = (named: readonly Named[], pointer: string): Prerequisite[] =>
  named.map((one, at) => prerequisiteOf(one, `${pointer}/${at}`));

/** What the request adds and waives. Throws `InvalidInput` if that is nothing, or one prerequisite is in both lists. */
export function arrangementOf({ add = [], waive = [] }: PrerequisitesRequest) {
  if (add.length + waive.length === 0)
    throw new InvalidInput([{ pointer: '', detail: "Expected prerequisites to 'add' or to 'waive', but got none" }]);
  const added = prerequisitesOf(add, '#/add');
  const ids = new Set(added.map(idOf));
  const twice = waive.findIndex((id) => ids.has(id));
  if (twice < 0) return { add: added, waive };
  const pointer = `#/waive/${twice}`;
  throw new InvalidInput([
    { pointer, detail: "Expected a prerequisite in 'add' or in 'waive', but this one is in both" },
  ]);
}

interface Naming {
  readonly after?: readonly Named[] | undefined;
  readonly batch?: string | undefined;
}

/** The tasks and batches that submissions name. */
export const idsNamedBy = (all: readonly Naming[]): Ids => ({
  tasks: all.flatMap(({ after = [] }) => after.flatMap(({ task }) => task ?? [])),
  batches: all.flatMap(({ after = [], batch }) => [
    ...after.flatMap((one) => one.batch ?? []),
    ...(batch ? [batch] : []),
  ]),
});

function prerequisiteOf({ task, batch, ignore }: Named, pointer: string): Prerequisite {
  const ignored = ignore ? { ignore } : {};
  if (task !== undefined && batch === undefined) return { task, ...ignored };
  if (batch !== undefined && task === undefined) return { batch, ...ignored };
  const named = task === undefined ? 'neither' : 'both';
  throw new InvalidInput([{ pointer, detail: `Expected either 'task' or 'batch', but got ${named}` }]);
}
