import { Injectable } from '@nestjs/common';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { SystemEvent } from '../../domain/system/system.events.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { systemRow } from '../kernel/rows/system-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import { PastGate } from './past-gate.js';
import { entityOf, type PastTask } from './past-task.js';
import { summaryOf, type TaskSummary } from './task-view.js';

interface QueueThen {
  readonly status: string;
  readonly policy: QueuePolicy;
}

/** What the queues and the system said at one moment, each read once. */
export type Surroundings = Map<string, Promise<QueueThen>>;

/** Shows tasks as of a moment, with what other streams said of them then. */
@Injectable()
export class PastBesides {
  constructor(
    private readonly past: Past,
    private readonly gate: PastGate,
  ) {}

  async summaryOf(task: PastTask, moment: Moment, known: Surroundings = new Map()): Promise<TaskSummary> {
    const { row } = task;
    if (!known.has(row.queue)) known.set(row.queue, this.queueAt(row.queue, moment));
    const { status, policy } = await known.get(row.queue)!;
    return summaryOf(entityOf(row), {
      gate: row.state === 'pending' ? await this.gate.of(task, wholePolicy(policy), moment) : null,
      queueStatus: status,
      stateName: stateNameOf(row, policy),
      lastHeartbeatAt: null,
      progress: null,
    });
  }

  private async queueAt(name: string, { position }: Moment): Promise<QueueThen> {
    const [queue, system] = await this.past.historiesAt([queueStream(name), DRAIN_STREAM], position);
    const { status, policy } = queueRow(eventsIn<QueueEvent>(queue!)) as unknown as QueueThen;
    const isDraining = system!.length > 0 && systemRow(eventsIn<SystemEvent>(system!)).draining === true;
    return { status: isDraining ? 'draining' : status, policy };
  }
}

/** A task that is in a step is shown under its name, if its queue says so. */
function stateNameOf(
  { entered, state, step }: PastTask['row'],
  { stepsAsStates, vocabulary }: Partial<QueuePolicy>,
): string {
  const isInStep = stepsAsStates === true && entered && (state === 'pending' || state === 'running');
  const names: Readonly<Record<string, string | undefined>> = vocabulary ?? {};
  return (isInStep ? step : null) ?? names[state] ?? state;
}
