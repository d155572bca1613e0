import type { ClaimedTask, SettleVerdict, WorkerLabels } from '@waybill/client';
import type { Command } from 'commander';
import { userInfo } from 'node:os';
import { atLeastOne, json, jsonObject, repeated, seconds, workerLabels } from '../arguments.js';
import { NotDone, UsageError } from '../problems.js';
import type { Open } from '../session.js';
import type { Column } from '../terminal/table.js';

interface ClaimOptions {
  readonly step?: readonly string[];
  readonly offer?: WorkerLabels;
  readonly max: number;
  readonly worker: string;
  readonly lease?: number;
  readonly wait?: number;
}

interface SettleOptions {
  readonly result?: unknown;
  readonly error?: string;
  readonly class?: string;
  readonly final?: true;
  readonly step?: string;
  readonly data?: Record<string, unknown>;
  readonly return?: true;
}

/** For scripts and for looking into a queue by hand. Nothing renews the lease: a program claims by a `Worker`. */
export function addClaimCommands(program: Command, open: Open): void {
  addClaim(program, open);
  addSettle(program, open);
}

function addClaim(program: Command, open: Open): void {
  program
    .command('claim <queue>')
    .description("claim tasks by hand, and exit with 1 if none is ready; 'waybill settle' reports how they ended")
    .option('--step <name>', 'only tasks whose next step is this one; can be repeated', repeated)
    .option('--offer <name=value>', 'a label that you offer to tasks that need it; can be repeated', workerLabels)
    .option('--max <n>', 'claim at most n tasks', atLeastOne, 1)
    .option('--worker <name>', 'the name of the worker in the history', `${userInfo().username}-by-hand`)
    .option('--lease <seconds>', "how long the tasks are yours; the queue's policy decides if absent", seconds)
    .option('--wait <seconds>', 'wait this long for a task', seconds)
    .action(async (queue: string, options: ClaimOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const { tasks, refusal } = await waybill.queue(queue).claimResult(requestOf(options));
      const none = refusal ? refusal.detail : `No task of '${queue}' is ready. 'waybill task why' says why one is not.`;
      await printer.list(tasks, COLUMNS, none);
      if (tasks.length === 0) throw new NotDone('');
    });
}

const requestOf = ({ step, offer, max, worker, lease, wait }: ClaimOptions) => ({
  worker,
  max,
  ...(step && { steps: [...step] }),
  ...(offer && { offers: offer }),
  ...(lease !== undefined && { leaseMs: lease * 1_000 }),
  ...(wait !== undefined && { waitMs: wait * 1_000 }),
});

const COLUMNS: readonly Column<ClaimedTask>[] = [
  { title: 'task', of: ({ taskId }) => taskId },
  { title: 'token', of: ({ token }) => token },
  { title: 'step', of: ({ step }) => step },
  { title: 'attempt', of: ({ attempt }) => attempt, right: true },
  { title: 'payload', of: ({ payload }) => JSON.stringify(payload) },
];

function addSettle(program: Command, open: Open): void {
  program
    .command('settle <task> <token>')
    .description('report how a claimed task ended: it succeeded, unless an option says otherwise')
    .option('--result <json>', 'the result of the success', json)
    .option('--step <name>', 'this step is done, and the task goes on with the next one')
    .option('--data <json>', 'with --step: what to record with the task', jsonObject)
    .option('--error <message>', 'the attempt failed, for this reason')
    .option('--class <class>', "the class of the error, such as 'transient' or 'business'")
    .option('--final', 'nothing may retry the failure')
    .option('--return', 'the task was not worked on; another worker may have it')
    .action(async (taskId: string, token: string, options: SettleOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const [outcome] = await waybill.settle([{ taskId, token, verdict: verdictOf(options) }]);
      if (outcome && 'problem' in outcome) throw new NotDone(outcome.problem.detail);
      await printer.show(outcome!, (paint) => [`${paint.green('✓')} ${taskId}  ${paint.bold(outcome!.state)}`]);
    });
}

function verdictOf(options: SettleOptions): SettleVerdict {
  const { result, step, data, error, class: kind, final, return: returned } = options;
  if ([result, step, error, returned].filter((one) => one !== undefined).length > 1)
    throw new UsageError('error: Expected one of --result, --step, --error and --return.');
  if (error === undefined && (kind !== undefined || final))
    throw new UsageError('error: Expected --class and --final with --error.');
  if (step === undefined && data) throw new UsageError('error: Expected --data with --step.');
  if (returned) return { type: 'return' };
  if (step !== undefined) return { type: 'completeStep', step, then: 'continue', ...(data && { data }) };
  if (error === undefined) return { type: 'succeed', ...(result !== undefined && { result }) };
  const report = { message: error, ...(kind !== undefined && { class: kind }) };
  return { type: 'fail', error: report, ...(final && { final }) } as SettleVerdict;
}
