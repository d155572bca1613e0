import type { TaskHandle, TaskStatus } from '@waybill/client';
import type { Command } from 'commander';
import { json, labels, seconds, time, typedOrPiped, whole } from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open } from '../session.js';

interface EnqueueOptions {
  readonly key?: string;
  readonly priority?: number;
  readonly due?: Date;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: Record<string, string>;
  readonly description?: string;
  readonly wait?: number;
}

export function addEnqueueCommand(program: Command, open: Open): void {
  program
    .command('enqueue <queue> [payload]')
    .description("hand in a task; its payload is JSON, '-' for the standard input")
    .option('--key <key>', 'what it is about: of one key, one runs')
    .option('--priority <n>', 'higher goes first', whole)
    .option('--due <time>', 'not before', time)
    .option('--reference <reference>', 'what it is called elsewhere')
    .option('--kind <kind>', 'names the handler')
    .option('--label <name=value>', 'a label; may be given again', labels)
    .option('--description <text>', 'what it is for')
    .option('--wait <seconds>', 'until it has ended, so long at most; anything but a success is exit code 1', seconds)
    .action(async (queue: string, payload: string | undefined, options: EnqueueOptions, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const { key, priority, reference, kind, description, due, label, wait } = options;
      const more = { key, priority, reference, kind, description };
      const task = { ...more, ...(due && { dueAt: due }), ...(label && { labels: label }) };
      const body = payload === undefined ? undefined : await typedOrPiped(payload, stdin, json);
      const result = await waybill.queue(queue).enqueue(body, task);
      const { id, status, position } = result;
      await printer.show(result, (paint) => [
        `${paint.green('✓')} ${id}  ${paint.dim(`${status} at position ${position}`)}`,
      ]);
      if (wait === undefined) return;
      const ended = await endOf(waybill.task(id), position, wait);
      await printer.show({ id, state: ended }, (paint) => [`${id}  ${paint.bold(ended)}`]);
      if (ended !== 'succeeded') throw new NotDone('');
    });
}

const OPEN: readonly TaskStatus[] = ['prepared', 'pending', 'held', 'running', 'undecided'];

/** The state that the task ends in. Throws `NotDone` where that takes too long. */
async function endOf(task: TaskHandle, position: string, seconds: number): Promise<TaskStatus> {
  const reservationRetry = AbortSignal.timeout(seconds * 1_000);
  let last = position;
  for await (const event of task.follow({ signal: reservationRetry })) last = event.position;
  const { state } = await task.get({ minPosition: last });
  if (!OPEN.includes(state)) return state;
  throw new NotDone(`Expected the task to end within ${seconds} s, but it is ${state}.`);
}
