import { Injectable } from '@nestjs/common';
import type { BatchEvent, ReportContent, ReportedChange, ReportedTask } from '../../domain/batch/batch.events.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { type BatchMember, BatchMembers } from './batch-members.port.js';

/** The most changes, and the most incomplete tasks, that one report names. */
export const MOST_REPORTED = 500;
const PAGE = 500;

/** The tasks that were run again and have ended since they were last reported. */
export interface EndedAgain {
  readonly tasks: readonly ReportedTask[];
  /** The newest position at which one of them was looked at. */
  readonly asOf: bigint;
}

/** Works out what a report of a batch says. */
@Injectable()
export class BatchReports {
  constructor(
    private readonly members: BatchMembers,
    private readonly store: EventStore,
  ) {}

  /** `history`: of the batch. `total`: how many tasks it has. */
  async contentOf(batch: string, history: readonly RecordedEvent[], total: number): Promise<ReportContent> {
    const last = history.findLast(({ event }) => event.type === 'BatchReported');
    const incomplete = (await this.members.incomplete(batch, 0n, MOST_REPORTED)).map(reported);
    if (!last) {
      const changes = (await this.members.first(batch, MOST_REPORTED)).map(reported);
      return { changes, more: total - changes.length, incomplete };
    }
    const changes = await this.changesSince(batch, last.position);
    const named = changes.slice(0, MOST_REPORTED);
    return { changes: named, more: changes.length - named.length, incomplete };
  }

  /** What has ended since the batch's end and is not reported yet, or has ended again since it was. */
  async endedAgain(batch: string, history: readonly RecordedEvent[]): Promise<EndedAgain> {
    const first = history.find(({ event }) => event.type === 'BatchReported');
    if (!first) return { tasks: [], asOf: 0n };
    const tellings = tellingsIn(history);
    const tasks: ReportedTask[] = [];
    let asOf = 0n;
    for await (const { member, past } of this.changed(batch, first.position)) {
      if (member.position > asOf) asOf = member.position;
      const since = tellings.get(member.taskId) ?? first.position;
      if (OVER.includes(member.state) && endsAfter(past, since)) tasks.push(reported(member));
    }
    return { tasks, asOf };
  }

  private async changesSince(batch: string, position: bigint): Promise<ReportedChange[]> {
    const changes: ReportedChange[] = [];
    for await (const { member, past } of this.changed(batch, position)) {
      const from = statusAt(past, position);
      if (kindOf(from) !== kindOf(member.state)) changes.push({ ...reported(member), from });
    }
    return changes;
  }

  /** The tasks with events after the position, with their histories, a page at a time. */
  private async *changed(batch: string, position: bigint): AsyncGenerator<ChangedMember> {
    for (let after = 0n; ;) {
      const page = await this.members.changedSince(batch, position, after, PAGE);
      const streams = page.map(({ taskId }) => taskStream(taskId));
      for (let at = 0; at < streams.length;)
        for (const past of await this.store.readFirst(streams.slice(at))) yield { member: page[at++]!, past };
      if (page.length < PAGE) return;
      after = page.at(-1)!.seq;
    }
  }
}

interface ChangedMember {
  readonly member: BatchMember;
  readonly past: readonly RecordedEvent[];
}

const OVER: readonly TaskStatus[] = ['succeeded', 'superseded', 'failed', 'aborted', 'deleted'];

/** A task that goes on is in one state for those who wait for its end. */
const kindOf = (status: TaskStatus): string => (OVER.includes(status) ? status : 'open');

const reported = ({ taskId: task, state }: BatchMember): ReportedTask => ({ task, state });

function statusAt(past: readonly RecordedEvent[], position: bigint): TaskStatus {
  const events = past.filter((recorded) => recorded.position <= position).map(({ event }) => event as TaskEvent);
  return fold(taskDecider, events).status as TaskStatus;
}

/** Whether the task has come to its state after the position, perhaps from the same state. */
function endsAfter(past: readonly RecordedEvent[], position: bigint): boolean {
  const since = past.filter((recorded) => recorded.position > position).map(({ event }) => event.type);
  return since.some((type) => ENDINGS.includes(type));
}

const ENDINGS: readonly string[] = [
  'TaskSucceeded',
  'TaskOverruled',
  'TaskStepCompleted',
  'TaskFailed',
  'TaskAborted',
  'TaskSuperseded',
  'TaskDeleted',
];

/** The position at which each task was last reported by itself. */
function tellingsIn(history: readonly RecordedEvent[]): ReadonlyMap<string, bigint> {
  const tellings = new Map<string, bigint>();
  for (const { event, position } of history) {
    const { type, data } = event as BatchEvent;
    if (type === 'BatchTaskReported') tellings.set(data.task, position);
  }
  return tellings;
}
