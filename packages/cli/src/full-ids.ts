import type { Waybill } from '@waybill/client';
import type { Command } from 'commander';
import { first } from './arguments.js';
import { NotDone, UsageError } from './problems.js';
import type { Open } from './session.js';

/** The id of a task or a batch. */
export const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The end of an id, with or without the sign that tables put before it. */
export const TAIL = /^…?([0-9a-f]{8})$/;

type Find = (waybill: Waybill, q: string) => AsyncIterable<{ readonly id: string }>;

/** By the command above those that take ids. */
const FIND: Readonly<Record<string, Find>> = {
  task: (waybill, q) => waybill.tasks.list({ q }, { limit: 2 }),
  batch: (waybill, q) => waybill.batches({ q }),
};

/** The arguments of `<id>` and `<ids...>` may be the ends of ids that narrow tables show. Replaces these by the whole ids. */
export async function completeIds(command: Command, open: Open): Promise<void> {
  const kind = command.name() === 'logs' ? 'task' : (command.parent?.name() ?? '');
  const find = FIND[kind];
  if (!find) return;
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (!/^ids?$/.test(argument.name())) continue;
    const given: unknown = command.processedArgs[at];
    const whole = (text: string) => wholeId(text, (q) => find(open(command).waybill, q));
    if (typeof given === 'string') command.processedArgs[at] = await whole(idOf(given, kind));
    if (Array.isArray(given)) command.processedArgs[at] = await Promise.all((given as string[]).map(whole));
  }
}

/** Of several ids, the service reports on each. */
function idOf(given: string, kind: string): string {
  if (ID.test(given) || TAIL.test(given)) return given;
  throw new UsageError(
    `error: Expected the id of a ${kind}, such as 01a21462-ae20-7d3d-8c1b-6f0e2a4b9c1d, or its last 8 characters, but got '${given}'.`,
  );
}

async function wholeId(given: string, find: (q: string) => AsyncIterable<{ readonly id: string }>): Promise<string> {
  const tail = TAIL.exec(given)?.[1];
  if (tail === undefined) return given;
  const { items, more } = await first(find(`id:${tail}`), 1);
  if (more) throw new UsageError(`error: Expected '${given}' to be the end of one id, but several end like that.`);
  const [found] = items;
  if (!found) throw new NotDone(`Expected an id that ends with '${tail}', but none in the lists does.`);
  return found.id;
}
