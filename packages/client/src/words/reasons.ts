import type { NotRunningReason, TaskExplanation } from '@waybill/contracts';

/** Why a task is not running, a sentence a line. */
export function explained({ reasons, rank }: TaskExplanation): string[] {
  const place = rank === null ? [] : [`It is number ${rank} in line.`];
  return [...reasons.map((reason) => SENTENCES[reason.because](reason)), ...place];
}

const because = (reason: string | null | undefined): string => (reason ? `: ${reason}` : '');

const LIMITS: Readonly<Record<string, string>> = {
  serial: 'the queue is serial',
  perServer: 'a server has all it may have',
  maxRunning: 'the queue has as many running as it may',
};

const SENTENCES: Readonly<Record<NotRunningReason['because'], (reason: NotRunningReason) => string>> = {
  state: ({ state }) => `It is ${state}.`,
  held: ({ by, reason }) => `${by} holds it back${because(reason)}.`,
  due: ({ until }) => `It is due at ${until}.`,
  key: ({ key, taskId }) => `Its key '${key}' is busy${taskId ? ` with task ${taskId}` : ''}.`,
  'key-failure': ({ key, taskId, state }) => `Task ${taskId} of its key '${key}' comes first, and is ${state}.`,
  'queue-paused': ({ by, reason, until }) =>
    `${by} paused the queue${until ? ` until ${until}` : ''}${because(reason)}.`,
  'queue-waiting': ({ queues = [] }) => `The queue waits for ${queues.join(', ')}.`,
  'queue-finished': () => 'The queue is finished.',
  'queue-failing': ({ failures }) => `After ${failures} failures in a row the queue is about to pause.`,
  'no-slot': ({ limit = '', running = [] }) =>
    `No slot is free, because ${LIMITS[limit]}; running: ${running.map(({ taskId, worker }) => `${taskId} (${worker})`).join(', ')}.`,
  worker: ({ unattended, lastPolledAt }) =>
    unattended
      ? `Nothing stands in its way, but no worker asks for tasks of its queue${lastPolledAt ? `: the last one did at ${lastPolledAt}` : ''}. Start one.`
      : 'Nothing stands in its way: a worker that asks is given it when it is its turn.',
};
