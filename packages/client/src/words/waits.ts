import type { TaskWait } from '@waybill/contracts';
import { plural } from './numbers.js';

type Interval = TaskWait['intervals'][number];
type Cause = Interval['because'];

/** What a cause is called in sums. */
export const WAIT_CAUSES: Readonly<Record<Cause, string>> = {
  state: 'not submitted yet',
  held: 'held',
  hold: 'a hold in force',
  job: 'in a job',
  'cancel-requested': 'being cancelled',
  decision: 'a decision',
  ended: 'ended',
  quarantined: 'could not be read',
  prerequisites: 'prerequisites',
  resource: 'short of a resource',
  due: 'not due yet',
  signal: 'waiting for a signal',
  gathers: 'gathering submissions',
  retry: 'delay before a retry',
  'target-failing': 'target failing',
  key: 'its key was busy',
  'key-failure': 'a failure of its key',
  'queue-paused': 'queue paused',
  draining: 'system drained',
  'queue-waiting': 'queue waiting for others',
  'queue-finished': 'queue finished',
  'queue-failing': 'queue about to pause',
  'no-slot': 'no slot free',
  rate: 'no start allowed by a rate',
  'lease-over': 'a lease that was over',
  worker: 'no worker asked',
  behind: 'behind others',
  unknown: 'not looked at',
};

type Reason = NonNullable<Interval['reason']>;

const because = ({ by, reason }: Reason): string => ` (${[by, reason].filter(Boolean).join(': ')})`;

const DETAILS: { readonly [C in Cause]?: (reason: Reason) => string } = {
  held: (reason) => (reason.hold ? ` by hold '${reason.hold}'` : '') + because(reason),
  hold: (reason) => ` '${reason.hold}'` + because(reason),
  prerequisites: ({ count = 0, blockers = [] }) => {
    const named = blockers
      .slice(0, 2)
      .map(({ id = 'something elsewhere', state }) => `${id} ${state === 'planning' ? 'not open' : state}`);
    return `: ${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}`;
  },
  decision: ({ error }) => (error ? ` after ${error.class}: ${error.message}` : ''),
  resource: ({ resource, below }) => `: ${resource} below ${below}`,
  retry: ({ error, failures }) => ` ${failures}${error ? ` after ${error.class}: ${error.message}` : ''}`,
  key: ({ key, taskId }) => ` '${key}'${taskId ? ` with ${taskId}` : ''}`,
  'key-failure': ({ key, taskId }) => ` '${key}': ${taskId}`,
  'queue-paused': because,
  draining: because,
  'queue-waiting': ({ queues = [] }) => `: ${queues.join(', ')}`,
  worker: ({ unattended, lastPolledAt }) => (unattended && lastPolledAt ? ` since ${lastPolledAt}` : ''),
  'no-slot': ({ limit, running = [] }) => ` (${limit}; ${plural(running.length, 'task')} ran)`,
};

/** Why the task waited in the interval, in a few words. */
export function waitedFor({ because: cause, reason, claims }: Interval): string {
  if (cause === 'behind' && claims > 0) return `behind ${plural(claims, 'other')}`;
  return WAIT_CAUSES[cause] + (reason ? (DETAILS[cause]?.(reason) ?? '') : '');
}
