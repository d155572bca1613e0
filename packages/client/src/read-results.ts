import type { PrerequisiteResult } from '@waybill/contracts';
import type { Caller } from './caller.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

/** What the results of all prerequisites of a task may have together, as JSON, where they are in memory at once. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Page by page. */
export function resultsFor(caller: Caller, id: string, options: PageOptions = {}): AsyncGenerator<PrerequisiteResult> {
  const page = (cursor?: string) =>
    caller.call('listResults', { path: { id }, query: pageQuery({ ...options, cursor }) }, options);
  return everyItem(page, options.cursor);
}

/** All of them. Throws a `RangeError` if they have more than 16 Mi characters together. */
export async function resultsTogether(caller: Caller, id: string): Promise<readonly PrerequisiteResult[]> {
  const items: PrerequisiteResult[] = [];
  let characters = 0;
  for await (const one of resultsFor(caller, id)) {
    characters += JSON.stringify(one.result).length;
    if (characters > MOST_CHARACTERS) throw tooLarge(id);
    items.push(one);
  }
  return items;
}

const tooLarge = (task: string): RangeError =>
  new RangeError(
    `Expected the results of what task '${task}' waited for to have ${MOST_CHARACTERS} characters at most, but they have more: ` +
      'read them one by one, with waybill.task(id).results()',
  );
