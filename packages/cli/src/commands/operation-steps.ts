import type { TaskHandle } from '@waybill/client';
import type { Command } from 'commander';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { tell } from './receipt.js';

/** An operation is a task, whose commands steer it. */
const STEPS = [
  { name: 'pause', about: 'pause an operation; it stops within seconds, before its next tasks', run: 'hold' },
  { name: 'resume', about: 'let a paused operation go on with its next task', run: 'release' },
  { name: 'abort', about: 'end an operation for good; what it has done until then stays done', run: 'abort' },
] as const satisfies readonly { readonly run: keyof TaskHandle; readonly name: string; readonly about: string }[];

/** Adds the commands that steer an operation under way. */
export function addOperationSteps(program: Command, open: Open): void {
  const operation = program
    .command('operation')
    .description("pause, resume or abort a command for many tasks; 'waybill operations' lists them");
  for (const { name, about, run } of STEPS)
    operation
      .command(`${name} <id>`)
      .description(about)
      .addOption(reasonOption())
      .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
        const { waybill, printer } = open(command);
        // Refuses the ids of other tasks, which these commands are not meant for.
        await waybill.operation(id);
        await tell(printer, await waybill.task(id)[run]({ reason }));
      });
}
