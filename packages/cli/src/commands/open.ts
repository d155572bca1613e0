import { spawn } from 'node:child_process';
import { type Waybill, WaybillError } from '@waybill/client';
import type { Command } from 'commander';
import { first } from '../arguments.js';
import { ID, TAIL } from '../full-ids.js';
import { UsageError } from '../problems.js';
import { openSession, type Surroundings, urlFor } from '../session.js';

/** Opens the dashboard where something is shown. */
export function addOpenCommand(program: Command, surroundings: Surroundings): void {
  program
    .command('open [what]')
    .description(
      'open the dashboard, at a queue, a task, a batch or a group of failures if you name one; print its address',
    )
    .action(async (what: string | undefined, _: object, command: Command) => {
      const { waybill, printer } = openSession(command, surroundings);
      const page = what === undefined ? '' : await pageOf(what, waybill);
      const address = `${urlFor(command, surroundings.env)}/dashboard/${page}`;
      await printer.show({ url: address }, () => [address]);
      const opener = surroundings.stdout.isTTY && !printer.json ? openerOf(surroundings.env) : null;
      if (opener !== null)
        spawn(opener, [address], { stdio: 'ignore', detached: true })
          .on('error', () => {})
          .unref();
    });
}

/** A queue has any other name. */
async function pageOf(what: string, waybill: Waybill): Promise<string> {
  if (/^g[0-9a-f]{15}$/.test(what)) return `#/failures/${what}`;
  const q = `id:${TAIL.exec(what)?.[1] ?? what}`;
  if (ID.test(what) || TAIL.test(what)) {
    const [task] = (await first(waybill.tasks.list({ q }), 1)).items;
    if (task) return `#/tasks/${task.id}`;
    const [batch] = (await first(waybill.batches({ q }), 1)).items;
    if (batch) return `#/batches/${batch.id}`;
    if (ID.test(what)) return `#/tasks/${what}`;
  }
  return `#/queues/${encodeURIComponent(await queueNamed(what, waybill))}`;
}

async function queueNamed(name: string, waybill: Waybill): Promise<string> {
  try {
    return (await waybill.queue(name).get()).name;
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error;
    throw new UsageError(
      `error: Expected '${name}' to be a queue, or the id of a task, a batch or a group of failures.`,
    );
  }
}

/** Null where there is no screen to open a browser on. */
function openerOf({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | null {
  if (BROWSER) return BROWSER;
  if (process.platform === 'darwin') return 'open';
  if (process.platform === 'win32') return 'explorer';
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : null;
}
