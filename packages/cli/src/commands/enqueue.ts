import {
  type NewTask,
  TaskFailed,
  type TaskHandle,
  TaskNotEnded,
  type TaskStatus,
  type WorkerLabels,
} from '@waybill/client';
import type { Command } from 'commander';
import {
  json,
  labels,
  prerequisites,
  repeated,
  seconds,
  time,
  typedOrPiped,
  whole,
  workerLabels,
} from '../arguments.js';
import { NotDone } from '../problems.js';
import type { Open } from '../session.js';

interface EnqueueOptions {
  readonly key?: string;
  readonly priority?: number;
  readonly due?: Date;
  readonly gatherQuiet?: number;
  readonly gatherMax?: number;
  readonly ttl?: number;
  readonly expiresAt?: Date;
  readonly deadline?: Date;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: Record<string, string>;
  readonly need?: WorkerLabels;
  readonly step?: string[];
  readonly data?: Record<string, unknown>;
  readonly auditContext?: string;
  readonly payloadSha256?: string;
  readonly description?: string;
  readonly batch?: string;
  readonly after?: readonly string[];
  readonly afterBatch?: readonly string[];
  readonly wait?: number;
  readonly quiet?: true;
}

export function addEnqueueCommand(program: Command, open: Open): void {
  program
    .command('enqueue <queue> [payload]')
    .description("enqueue a task with a JSON payload, or '-' to read it from the standard input")
    .option('--key <key>', 'what the task is about; only one task per key runs at a time')
    .option('--priority <n>', 'higher runs first', whole)
    .option('--due <time>', 'when the task may run at the earliest', time)
    .option('--gather-quiet <seconds>', 'how long after this submission the task gathers others of its key', seconds)
    .option('--gather-max <seconds>', 'how long it gathers them at most, from its first submission on', seconds)
    .option('--ttl <seconds>', 'how long the task may wait for a worker; then it fails', seconds)
    .option('--expires-at <time>', 'until when the task may wait for a worker; then it fails', time)
    .option('--deadline <time>', 'when the task should be done', time)
    .option('--reference <reference>', 'your own name for the task')
    .option('--kind <kind>', 'the kind of task')
    .option('--label <name=value>', 'a label; can be repeated', labels)
    .option('--need <name=value>', 'a label that its worker must offer; can be repeated', workerLabels)
    .option('--description <text>', 'what the task is for')
    .option('--batch <id>', 'the batch that the task is part of')
    .option('--after <id>', 'a task that must succeed first; can be repeated', repeated)
    .option('--after-batch <id>', 'a batch that must be completed first; can be repeated', repeated)
    .option('--audit-context <id>', "the entry of your application's audit log that the task belongs to")
    .option('--payload-sha256 <digest>', 'the SHA-256 that the canonical JSON of the payload must have')
    .option('--data <json>', 'data of the task from the beginning', json)
    .option('--step <step>', 'a step that the task has, instead of all; can be repeated', repeated)
    .option('--wait <seconds>', 'wait this long for the task to end; exit with 1 unless it succeeds', seconds)
    .option('-q, --quiet', 'print only the id')
    .action(async (queue: string, payload: string | undefined, options: EnqueueOptions, command: Command) => {
      const { waybill, printer, stdin } = open(command);
      const { key, priority, reference, kind, description, batch, due, ttl, expiresAt, deadline, label, step, wait } =
        options;
      const after = prerequisites(options);
      const more = { key, priority, reference, kind, description, batch };
      const task = {
        ...more,
        ...(due && { dueAt: due }),
        ...gatherOf(options),
        ...(ttl !== undefined && { ttlMs: ttl * 1_000 }),
        ...(expiresAt && { expiresAt }),
        ...(deadline && { deadlineAt: deadline }),
        ...(label && { labels: label }),
        ...(options.need && { needs: options.need }),
        ...(after.length > 0 && { after }),
        ...(step && { steps: step }),
        ...(options.data !== undefined && { data: options.data }),
        ...(options.auditContext !== undefined && { auditContext: options.auditContext }),
        ...(options.payloadSha256 !== undefined && { payloadSha256: options.payloadSha256 }),
      };
      const body = payload === undefined ? undefined : await typedOrPiped(payload, stdin, json);
      const result = await waybill.queue(queue).enqueue(body, task);
      const { id, status, position, dueAt } = result;
      await printer.show(result, (paint) => [
        options.quiet
          ? id
          : `${paint.green('✓')} ${id}  ${paint.dim(`${status} at position ${position}${dueAt === undefined ? '' : `, due ${dueAt}`}`)}`,
      ]);
      if (wait === undefined) return;
      const ended = await endOf(waybill.task(id), wait);
      await printer.show({ id, state: ended }, (paint) => [`${id}  ${paint.bold(ended)}`]);
      if (ended !== 'succeeded') throw new NotDone('');
    });
}

function gatherOf({ gatherQuiet, gatherMax }: EnqueueOptions): Pick<NewTask, 'gather'> {
  if (gatherQuiet === undefined && gatherMax === undefined) return {};
  return {
    gather: {
      ...(gatherQuiet !== undefined && { quietMs: gatherQuiet * 1_000 }),
      ...(gatherMax !== undefined && { maxMs: gatherMax * 1_000 }),
    },
  };
}

/** The state in which the task ends. Throws `NotDone` if that takes too long. */
async function endOf(task: TaskHandle, seconds: number): Promise<TaskStatus> {
  try {
    await task.result({ timeoutMs: seconds * 1_000 });
    return 'succeeded';
  } catch (error) {
    if (error instanceof TaskFailed) return error.task.state;
    if (!(error instanceof TaskNotEnded)) throw error;
    throw new NotDone(`Expected the task to end within ${seconds} s, but it is ${error.task.state}.`);
  }
}
