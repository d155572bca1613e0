import { differingRow, plural } from '@waybill/client/words';
import { type Command, Option } from 'commander';
import { NotDone } from '../problems.js';
import { reasonOption } from '../reason-option.js';
import type { Open, Session } from '../session.js';
import { endOfOperation, notSucceeded } from './many-tasks.js';

const MODES = ['diff', 'switch', 'back'] as const;
type Mode = (typeof MODES)[number];

type Options = { readonly [M in Mode]?: true } & { readonly reason?: string };

export function addProjectionCommands(program: Command, open: Open): void {
  const projection = program.command('projection').description('build read models from the log');
  projection
    .command('rebuild <projection>')
    .description('build a read model from the log, beside the one in use; it needs one of --diff, --switch and --back')
    .addOption(new Option('--diff', 'say which rows differ, and change nothing').conflicts(['switch', 'back']))
    .addOption(new Option('--switch', 'take the rebuilt rows; those in use are kept for a day').conflicts('back'))
    .option('--back', 'take the rows again that were in use before the last switch')
    .addOption(reasonOption())
    .addHelpText('after', '\nExit codes: 0 done, 1 rows differ or it failed.')
    .action(async (name: string, options: Options, command: Command) => {
      const mode = MODES.find((one) => options[one]);
      if (mode === undefined) command.error('error: expected one of --diff, --switch and --back', { exitCode: 2 });
      await rebuild(open(command), name, mode as Mode, options.reason);
    });
}

interface Compared {
  readonly position: string;
  readonly rows: number;
  readonly first: readonly Parameters<typeof differingRow>[0][];
}

async function rebuild(session: Session, name: string, mode: Mode, reason: string | undefined): Promise<void> {
  const { id } = await session.waybill.rebuildProjection(name, mode, { reason });
  const task = await endOfOperation(session, id);
  if (task.state !== 'succeeded') throw notSucceeded(task);
  const shown = { id, ...(task.result as object) };
  if (mode !== 'diff') return session.printer.show(shown, () => [DONE[mode]]);
  const compared = task.result as Compared;
  await session.printer.show(shown, () => linesOf(name, compared));
  if (compared.rows > 0)
    throw new NotDone(`Expected '${name}' to be as the log says, but ${plural(compared.rows, 'row')} differ.`);
}

const KEPT = 'Those that were in use are kept for a day: --back takes them again.';
const DONE = { switch: `Switched to rebuilt rows. ${KEPT}`, back: `Went back to the earlier rows. ${KEPT}` } as const;

function linesOf(name: string, { position, rows, first }: Compared): readonly string[] {
  const more = rows > first.length ? [`  … and ${rows - first.length} more`] : [];
  const differs = `'${name}' differs from the log in ${plural(rows, 'row')} as of position ${position}`;
  return [differs, ...first.map((row) => `  ${differingRow(row)}`), ...more];
}
