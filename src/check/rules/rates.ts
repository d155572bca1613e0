import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import {
  isPaced,
  limitsOf,
  type QueuePolicy,
  type Rate,
  valueOf,
  wholePolicy,
} from '../../domain/queue/queue.policy.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';

/** The times of the log are cut to whole milliseconds. */
const CUT_MS = 1;
/** As many values are looked through before those that say nothing any more are dropped. */
const MANY = 1_000;

/** The starts of a queue under one version of its policy. */
interface Paced {
  readonly policy: QueuePolicy;
  /** When its latest claim was recorded. */
  latest: number;
  /** No later than its latest claim was counted: when the claim before was recorded, or the policy. */
  since: number;
  /** Until when each rate is used up at least: of the queue (empty), and of each value. */
  readonly used: Map<string, number>;
  dropAt: number;
}

/**
 * I6: in no time do more tasks start than the rates of their queue allow. A claim counts its starts before it is recorded and, because claims
 * of a queue take turns, after the claim before. So by the times of the log a rate is used up by as many starts as are certain, and nothing is found that the
 * service did not do.
 */
export class Rates implements Rule {
  private readonly queues = new Map<string, Paced>();

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id, after } of append) {
      if (id === null) this.takePolicy(recorded);
      else if (recorded.event.type === 'TaskClaimed') this.start(recorded, after, tell);
    }
  }

  private takePolicy({ event, recordedAt }: RecordedEvent): void {
    const { type, data } = event as QueueEvent;
    if (type !== 'QueueDefined' && type !== 'QueuePolicyChanged') return;
    const policy = wholePolicy(data.policy);
    const at = Date.parse(recordedAt);
    if (!isPaced(policy)) this.queues.delete(data.queue);
    else this.queues.set(data.queue, { policy, latest: at, since: at, used: new Map(), dropAt: MANY });
  }

  private start(claim: RecordedEvent, after: TaskState, tell: Tell): void {
    if (after.status === 'unknown') return;
    const { queue, labels } = after.task.submission;
    const paced = this.queues.get(queue);
    if (!paced) return;
    pass(paced, Date.parse(claim.recordedAt));
    const { rate, perLabel } = paced.policy;
    const value = perLabel && valueOf(perLabel, labels);
    const limits = perLabel && limitsOf(perLabel, value);
    if (rate && !counted(paced, '', rate)) tell(tooMany(claim, `in '${queue}'`, rate));
    if (limits?.rate && !counted(paced, value === null ? 'without' : `=${value}`, limits.rate))
      tell(tooMany(claim, `in '${queue}' with the label '${perLabel!.label}: ${value}'`, limits.rate));
  }
}

function pass(paced: Paced, at: number): void {
  // The clock was set back, and with it what is used up.
  if (at < paced.latest) paced.used.clear();
  if (at !== paced.latest) [paced.since, paced.latest] = [Math.min(paced.latest, at), at];
  if (paced.used.size < paced.dropAt) return;
  for (const [key, until] of paced.used) if (until <= paced.since) paced.used.delete(key);
  paced.dropAt = Math.max(MANY, 2 * paced.used.size);
}

/** Counts a start, and whether the rate allowed it. */
function counted({ used, since, latest }: Paced, key: string, { starts, perMs, burst }: Rate): boolean {
  const time = Math.ceil((perMs * 1_000) / starts) / 1_000;
  const until = Math.max(used.get(key) ?? since, since);
  used.set(key, until + time);
  return until <= latest + CUT_MS + (burst - 1) * time;
}

const tooMany = (claim: RecordedEvent, where: string, { starts, perMs, burst }: Rate) =>
  violation(
    'I6',
    `Expected at most ${starts} starts in ${perMs} ms ${where}, and ${burst} at once, but there was one more`,
    claim,
  );
