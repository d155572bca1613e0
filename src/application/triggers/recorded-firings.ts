import { Injectable } from '@nestjs/common';
import { taskStream } from '../../domain/task/task.stream.js';
import type { TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import { EventStore } from '../kernel/event-store.port.js';

/** How many firings are in memory at once. */
const PAGE = 1_000;

/** What the streams of triggers tell of the tasks that they made. */
@Injectable()
export class RecordedFirings {
  constructor(private readonly store: EventStore) {}

  /** Whether a firing for the task is recorded. It may be older than the last one, but not than the task. */
  async have(trigger: string, task: string): Promise<boolean> {
    const [history] = await this.store.readStreams([taskStream(task)]);
    const [stream, upTo] = [triggerStream(trigger), await this.store.head()];
    for (let after = history![0]?.position ?? upTo; after < upTo;) {
      const { events, reached } = await this.store.scan({ after, upTo }, PAGE, { stream });
      if (events.some(({ event }) => tasksOf(event as TriggerEvent).includes(task))) return true;
      after = reached;
    }
    return false;
  }
}

/** Of an event that cannot be read, none are known. */
const tasksOf = ({ type, data }: TriggerEvent): readonly string[] =>
  type === 'TriggerFired' ? (data.firings ?? []).map(({ task }) => task) : [];
