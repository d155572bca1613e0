import type { ErasureSubject } from '@waybill/client';
import { jsonLine, plural } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { label, since } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open, Session } from '../session.js';
import { confirm, endOfOperation, notSucceeded } from './many-tasks.js';

interface Choice {
  readonly reason: string;
  readonly abortOpen?: true;
  readonly preview?: true;
  readonly yes?: true;
}

interface Options extends Choice {
  readonly label?: readonly [string, string];
  readonly queue?: string;
  readonly key?: string;
  readonly task?: string;
}

export function addEraseCommand(program: Command, open: Open): void {
  program
    .command('erase')
    .description('erase what the tasks of a subject were about; it needs --label, --queue with --key, or --task')
    .addOption(
      new Option('--label <name=value>', 'the tasks and batches with this label')
        .argParser(label)
        .conflicts(['key', 'task']),
    )
    .option('--queue <queue>', 'with --key: the queue')
    .addOption(new Option('--key <key>', 'the tasks of this key of the queue').conflicts('task'))
    .option('--task <id>', 'this task')
    .requiredOption('--reason <text>', 'the reason, for the history, which is never erased: do not name a person')
    .option('--abort-open', 'abort tasks and batches first that have not ended, and tasks that failed and have a key')
    .option('--preview', 'only count the tasks')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExit codes: 0 done, 1 tasks refused or it failed.')
    .action((options: Options, command: Command) => {
      const subject = subjectOf(options);
      if (subject === null) command.error('error: expected --label, --queue with --key, or --task', { exitCode: 2 });
      return erase(open(command), subject as ErasureSubject, options);
    });
}

export function addErasureCommands(program: Command, open: Open): void {
  program
    .command('erasure')
    .description('show what an erasure did')
    .command('certificate <id>')
    .description('print the certificate of an erasure, for waybill verify')
    .action(async (id: string, _: object, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.line(jsonLine({ ...(await waybill.erasureCertificate(id)) }));
    });
}

interface PurgeOptions extends Choice {
  readonly queue: string;
  readonly olderThan: string;
}

export function addPurgeCommand(program: Command, open: Open): void {
  program
    .command('purge')
    .description('erase what the tasks of a queue were about that ended long ago')
    .requiredOption('--queue <queue>', 'the queue')
    .requiredOption('--older-than <age>', 'tasks that ended longer ago than this (90d), or before this time', since)
    .requiredOption('--reason <text>', 'the reason, for the history, which is never erased: do not name a person')
    .option('--preview', 'only count the tasks')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExit codes: 0 done, 1 tasks refused or it failed.')
    .action(({ queue, olderThan: endedBefore, ...options }: PurgeOptions, command: Command) =>
      erase(open(command), { queue, endedBefore }, options),
    );
}

function subjectOf({ label: named, queue, key, task }: Options): ErasureSubject | null {
  if (named !== undefined) return { label: { name: named[0], value: named[1] } };
  if (queue !== undefined && key !== undefined) return { queue, key };
  return task === undefined ? null : { task };
}

const exampleOf = (one: Result['examples'][number] | undefined): string => one?.task ?? one?.batch ?? 'others';

interface Result {
  readonly erased: number;
  readonly batches: number;
  readonly alreadyErased: number;
  readonly halves: number;
  readonly outbox: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly examples: readonly { readonly task?: string; readonly batch?: string; readonly code: string }[];
}

async function erase(session: Session, subject: ErasureSubject, { reason, ...options }: Choice): Promise<void> {
  const { waybill, printer } = session;
  const { abortOpen, preview, yes } = options;
  const found = await waybill.erase(subject, reason, { preview: true });
  const open = `${found.open ?? 0} of them have not ended, or failed and have a key`;
  const { tasks, batches = 0, outbox = 0 } = found;
  const what = whatOf(tasks, batches, outbox);
  if (preview) return printer.show(found, () => [`${what}; ${open}`]);
  // If nothing matches there is nothing to confirm, and the service says so.
  if (!yes && tasks + batches + outbox > 0) await confirm(session, `erase ${what} for good (${open})?`);
  const { id, needsApproval } = await waybill.erase(subject, reason, { abortOpen });
  if (needsApproval)
    return printer.show({ id, needsApproval }, () => [
      `Erasure ${id} waits until somebody else approves it: waybill task release ${id}`,
    ]);
  const task = await endOfOperation(session, id!);
  if (task.state !== 'succeeded') throw notSucceeded(task);
  await tellResult(session, task.id, task.result as Result);
}

const whatOf = (tasks: number, batches: number, outbox: number): string =>
  [
    plural(tasks, 'task'),
    ...(batches === 0 ? [] : [plural(batches, 'batch', 'batches')]),
    ...(outbox === 0 ? [] : [`${plural(outbox, 'refused row')} of the outbox`]),
  ].join(' and ');

async function tellResult({ printer }: Session, id: string, result: Result): Promise<void> {
  const { erased, batches, alreadyErased, halves, outbox, refused, examples } = result;
  await printer.show({ id, ...result }, (paint) => [
    `${paint.green('✓')} ${whatOf(erased, batches, outbox)} erased, ${plural(halves, 'event')}`,
  ]);
  if (alreadyErased > 0) printer.note(`Erased before: ${alreadyErased}`);
  for (const [code, times] of Object.entries(refused))
    printer.note(`✗ ${times}  ${code}, such as ${exampleOf(examples.find((one) => one.code === code))}`);
  const left = Object.values(refused).reduce((sum, times) => sum + times, 0);
  if (left > 0) throw new NotDone(`${left} refused it.`);
}
