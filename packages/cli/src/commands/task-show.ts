import { type QueueView, type TaskDetails, type Waybill, WaybillError } from '@waybill/client';
import { detailsBesideStack, jsonLine, outsideWords, stackOf, workerLabels } from '@waybill/client/words';
import type { Command } from 'commander';
import { type AsOfOption, asOfOption, tellMoment } from '../as-of.js';
import type { Open } from '../session.js';
import { barsOf } from '../terminal/bars.js';
import type { Printer } from '../terminal/printer.js';
import { fields } from '../terminal/table.js';
import { linesOfTrack } from '../terminal/track.js';

/** What a task is and carries. */
export function addShown(task: Command, open: Open): void {
  task
    .command('show <id>')
    .description('show a task with its result, and its payload unless that is outside the log')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const details = await (asOf === undefined ? waybill : waybill.asOf(asOf)).task(id).get();
      tellMoment(details.asOf, printer);
      const rules = printer.json ? [] : await rulesOfSteps(waybill, details);
      const erased = printer.json || details.payload !== null ? null : await erasedIn(waybill, details);
      await printer.show(details, (paint) => fields([...shown(details, rules, printer), ['erased', erased]], paint));
    });
  task
    .command('payload <id>')
    .description('print the payload of a task as JSON, also one that is outside the log')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      await printer.line(jsonLine(await (asOf === undefined ? waybill : waybill.asOf(asOf)).task(id).payload()));
    });
}

/** When what the task was about was erased, and why; null if it is not. Only a task that ended can be. */
async function erasedIn(waybill: Waybill, { id, finishedAt }: TaskDetails): Promise<string | null> {
  if (finishedAt === null) return null;
  const found = (await waybill.task(id).history()).find(({ type }) => type === 'TaskErased');
  if (!found) return null;
  const { recordedAt, data, envelope } = found;
  return `${recordedAt} by ${String(data['erasure'])}${envelope.reason ? `: ${envelope.reason}` : ''}`;
}

type StepRules = QueueView['policy']['steps'];

/** The rules of the queue for the steps of its task. A queue that was deleted since has none. */
async function rulesOfSteps(waybill: Waybill, { queue, steps }: TaskDetails): Promise<StepRules> {
  if (steps.length === 0) return [];
  try {
    return (await waybill.queue(queue).get()).policy.steps;
  } catch (error) {
    if (error instanceof WaybillError && error.code === 'QUEUE_NOT_FOUND') return [];
    throw error;
  }
}

/** Where to look at it, or its id. */
const traceLine = ({ attempt, traceId, url }: TaskDetails['traces'][number]): string =>
  `${attempt === null ? 'submission' : `attempt ${attempt}`}  ${url ?? traceId}`;

function shown(task: TaskDetails, rules: StepRules, printer: Printer): (readonly [string, unknown])[] {
  const { state, stateName, labels, error, payload, payloadOutside, result } = task;
  const asJson = (value: unknown): string | null => (value === null ? null : printer.value(value));
  return [
    ['task', task.id],
    ['queue', task.queue],
    ['state', state === stateName ? state : `${stateName} (${state})`],
    ['waits for', task.waitingFor],
    ['kind', task.kind],
    ['key', task.key],
    ['reference', task.reference],
    ['description', task.description],
    [
      'labels',
      Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(', '),
    ],
    ['needs', task.needs && workerLabels(task.needs)],
    ['context', task.context],
    ['audit context', task.auditContext],
    ['traces', task.traces.map(traceLine).join('\n')],
    ['priority', task.priority],
    ['enqueued', task.enqueuedAt],
    ['due', task.dueAt],
    ['expires', task.expiresAt],
    ['deadline', task.deadlineAt && `${task.deadlineAt}${task.deadlineMissed ? ' (missed)' : ''}`],
    ['started', task.startedAt],
    ['runs until', task.runUntil && `${task.runUntil} at most`],
    ['attempt ended', task.endedAt === task.finishedAt ? null : task.endedAt],
    ['finished', task.finishedAt],
    ['archived', task.archivedAt],
    ['updated', task.updatedAt],
    ['attempt', task.attempt],
    ['worker', task.worker],
    ['last heartbeat', task.lastHeartbeatAt],
    ['progress', barsOf(task.progress)],
    ['steps', linesOfTrack(task, rules)],
    ['last step', task.lastStep],
    ['job', task.job],
    ['runs again', task.rerunOf],
    ['run again by', task.rerun],
    ['items', task.items.map(({ id, state }) => `${id}  ${state}`).join('\n')],
    ['data', Object.keys(task.data).length > 0 ? asJson(task.data) : null],
    ['error', error && `${error.class}: ${error.message}`],
    ['payload', payloadOutside ? outsideWords(payloadOutside) : asJson(payload)],
    ['result', asJson(result)],
    ['position', task.position],
    ['details', asJson(detailsBesideStack(error))],
    ['stack', stackOf(error)],
  ];
}
