import type { ReadyTasks } from '../../application/kernel/wake-ups.port.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';

/** The notification that one process sends to the others. */
export interface Message {
  readonly from: string;
  readonly position: string;
  readonly schedule: boolean;
  /** The queues, some with a step, that may have ready tasks. Null: any queue. */
  readonly queues: readonly string[] | null;
  /** Null: a slot of any queue may be free. */
  readonly freed: readonly string[] | null;
  /** Sent by the SQL function that fills the outbox, in its transaction. Processes never send it. */
  readonly outbox?: true;
  /** Absent in messages of builds that do not know it. */
  readonly seals?: boolean;
  /** The tasks of which there are new lines. Null: any task. Absent in messages of builds that do not know it. */
  readonly said?: readonly string[] | null;
}

/** All names of a message must fit into a NOTIFY. With needs of more characters, whoever takes tasks at the step is woken. */
const MOST_NEEDS = 100;

/**
 * A queue, or some of its tasks, as a message names it: the queue, the step, and the needs as JSON, each on a line. Builds that do not know the third line
 * wake those who take tasks at any step.
 */
export function placeOf(queue: string, { step, needs }: ReadyTasks = {}): string {
  const text = needs === undefined ? '' : JSON.stringify(needs);
  if (text !== '' && text.length <= MOST_NEEDS) return `${queue}\n${step ?? ''}\n${text}`;
  return step === undefined ? queue : `${queue}\n${step}`;
}

export function readPlace(place: string): [queue: string, only?: ReadyTasks] {
  const [queue, ...lines] = place.split('\n') as [string, ...string[]];
  if (lines.length === 0) return [queue];
  if (!lines.at(-1)!.startsWith('{')) return [queue, { step: lines.join('\n') }];
  const needs = readNeeds(lines.pop()!);
  // Whatever it says, all claims of the queue look.
  if (needs === null) return [queue];
  const step = lines.join('\n');
  return [queue, { ...(step !== '' && { step }), needs }];
}

function readNeeds(text: string): WorkerLabels | null {
  try {
    return JSON.parse(text) as WorkerLabels;
  } catch {
    return null;
  }
}

/** Tells the receiver to look everywhere. */
export const ANYTHING: Message = {
  from: '',
  position: '0',
  schedule: true,
  queues: null,
  freed: null,
  outbox: true,
  seals: true,
  said: null,
};

/** Other programs may use the channel too. A message that cannot be parsed counts as `ANYTHING`. */
export function readMessage(payload: string): Message {
  try {
    const message = JSON.parse(payload) as unknown;
    return isMessage(message) ? message : ANYTHING;
  } catch {
    return ANYTHING;
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { from, position, schedule, queues, freed, said = [] } = value as Record<keyof Message, unknown>;
  if (typeof from !== 'string' || typeof schedule !== 'boolean') return false;
  return (
    typeof position === 'string' && /^\d{1,19}$/.test(position) && areNames(queues) && areNames(freed) && areNames(said)
  );
}

const areNames = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
