import type { Command } from 'commander';
import type { Open, Session } from '../session.js';
import { followOperation } from './many-tasks.js';
import { showDecided } from './previewed.js';

interface Options {
  readonly preview?: true;
  readonly reason?: string;
}

/** Adds the command that takes an operation back. */
export function addUndoCommand(program: Command, open: Open): void {
  program
    .command('undo <operation>')
    .description('make the tasks of an operation what they were before it; of an undo: give the command again')
    .option('--preview', 'only show what would become of the tasks')
    .option('--reason <text>', 'why; shown in the history of every task')
    .action((operation: string, options: Options, command: Command) => undo(open(command), operation, options));
}

async function undo(session: Session, operation: string, { preview, reason }: Options): Promise<void> {
  const { waybill } = session;
  if (preview) return showDecided(session, await waybill.undo(operation, { preview }));
  const { id } = await waybill.undo(operation, { reason });
  await followOperation(session, id!);
}
