import type { StartedBulkOperation } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { reasonOption } from '../reason-option.js';
import type { Open, Session } from '../session.js';
import { confirm, followOperation } from './many-tasks.js';
import { tell } from './receipt.js';

interface DeletionOptions {
  readonly withTasks?: true;
  readonly cancel?: true;
  readonly preview?: true;
  readonly yes?: true;
  readonly reason?: string;
}

export function addDeletion(queue: Command, open: Open): void {
  queue
    .command('delete <queue>')
    .description('delete a queue without open tasks, or with all of its tasks')
    .option('--with-tasks', 'close its intake, wait for its running tasks, and delete it with all of its tasks')
    .option('--cancel', 'with --with-tasks: ask the workers of its running tasks to stop')
    .addOption(new Option('--preview', 'with --with-tasks: only count the tasks').conflicts('yes'))
    .option('--yes', 'with --with-tasks: do not ask for confirmation')
    .addOption(reasonOption())
    .action(async (name: string, options: DeletionOptions, command: Command) => {
      const { withTasks, cancel, preview, yes, reason } = options;
      if (!withTasks && (cancel || preview || yes))
        command.error('error: --cancel, --preview and --yes need --with-tasks', { exitCode: 2 });
      const session = open(command);
      if (withTasks) await deleteWithTasks(session, name, options);
      else await tell(session.printer, await session.waybill.queue(name).delete({ reason }));
    });
}

/** Deletes the queue once somebody has confirmed the number of its tasks, and waits for the end. */
async function deleteWithTasks(session: Session, name: string, options: DeletionOptions): Promise<void> {
  const { waybill, printer } = session;
  const { cancel, preview, yes, reason } = options;
  const queue = waybill.queue(name);
  const seen = await queue.deleteWithTasks({ preview: true });
  if (preview) return printer.show(seen, () => [inWords(seen)]);
  if (!yes) await confirm(session, `delete queue '${name}' with ${inWords(seen)}?`);
  const { id } = await queue.deleteWithTasks({ running: cancel ? 'cancel' : 'finish', reason });
  await followOperation(session, id!);
}

const inWords = ({ count, running = 0 }: StartedBulkOperation): string =>
  `${plural(count, 'task')}, ${running} of them running`;
