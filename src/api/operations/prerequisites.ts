import type { Prerequisite } from '../../domain/task/task.events.js';
import type { Prerequisite as Named } from '../dto/prerequisite.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** The prerequisites in the form to store. `pointer` is the place of the list in the body. */
export const prerequisitesOf = (named: readonly Named[], pointer: string): Prerequisite[] =>
  named.map((one, at) => prerequisiteOf(one, `${pointer}/${at}`));

function prerequisiteOf({ task, batch, ignore }: Named, pointer: string): Prerequisite {
  const ignored = ignore ? { ignore } : {};
  if (task !== undefined && batch === undefined) return { task, ...ignored };
  if (batch !== undefined && task === undefined) return { batch, ...ignored };
  const named = task === undefined ? 'neither' : 'both';
  throw new InvalidInput([{ pointer, detail: `Expected either 'task' or 'batch', but got ${named}` }]);
}
