import { type PrerequisiteResult, TaskFailed, TaskNotEnded } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first, seconds } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';

const COLUMNS: readonly Column<PrerequisiteResult>[] = [
  { title: 'id', of: ({ id = 'hidden' }) => id, as: 'id' },
  { title: 'name', of: ({ reference, key, kind }) => reference ?? key ?? kind ?? '', drop: 1 },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'result', of: ({ state, result }) => (state === 'succeeded' ? jsonLine(result) : '') },
];

export function addResults(task: Command, open: Open): void {
  task
    .command('result <id>')
    .description('print the result of a task as JSON, once it has succeeded; exit with 1 if it does not')
    .option('--wait <seconds>', 'wait this long for the task to end', seconds, 0)
    .action(async (id: string, { wait }: { readonly wait: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const waited = waybill.task(id).result({ timeoutMs: wait * 1_000 });
      await printer.line(jsonLine(await waited.catch(asNotDone)));
    });
  task
    .command('follow-token <id>')
    .description('print a token with which a page may follow this task, and nothing else')
    .option('--expires-in <seconds>', 'how long it is valid, up to a day', seconds, 3_600)
    .action(async (id: string, { expiresIn }: { readonly expiresIn: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const made = await waybill.task(id).followToken({ expiresInMs: expiresIn * 1_000 });
      await printer.show(made, () => [made.token]);
    });
  task
    .command('results <id>')
    .description('list the results of what a task waited for')
    .option('--limit <n>', 'show at most n of them', atLeastOne, 50)
    .action(async (id: string, { limit }: { readonly limit: number }, command: Command) => {
      const { waybill, printer } = open(command);
      const { items, more } = await first(waybill.task(id).results(), limit);
      await printer.list(items, COLUMNS, 'The task waits for nothing, and has waited for nothing.');
      if (more) printer.note(`There are more: --limit shows them.`);
    });
}

function asNotDone(error: unknown): never {
  if (error instanceof TaskFailed || error instanceof TaskNotEnded) throw new NotDone(`${error.message}.`);
  throw error;
}
