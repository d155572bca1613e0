import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { batchDecider } from '../../../src/domain/batch/batch.decider.js';
import type { BatchEvent } from '../../../src/domain/batch/batch.events.js';
import type { BatchState } from '../../../src/domain/batch/batch.state.js';
import { BATCH_CATEGORY, batchIdOf } from '../../../src/domain/batch/batch.stream.js';
import { idOf, ignoresAbort } from '../../../src/domain/task/prerequisites.js';
import type { Prerequisite } from '../../../src/domain/task/task.events.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { isOfTask } from './history.js';
import { evolveTask } from './rules.js';

const DONE = ['succeeded', 'superseded', 'completed', 'deleted'];
const ENDED = ['succeeded', 'superseded', 'aborted', 'deleted'];

/** The tasks and batches as of a position of the log, and what waits for what. */
export class Graph {
  private readonly tasks = new Map<string, TaskState>();
  private readonly batches = new Map<string, BatchState>();
  private readonly members = new Map<string, Set<string>>();

  take(recorded: RecordedEvent): void {
    if (isOfTask(recorded)) {
      const id = taskIdOf(recorded.stream);
      const after = evolveTask(this.tasks.get(id) ?? taskDecider.initialState, recorded.event);
      this.tasks.set(id, after);
      const batch = after.status === 'unknown' ? undefined : after.task.submission.batch;
      if (batch !== undefined) this.membersIn(batch).add(id);
    } else if (recorded.stream.startsWith(`${BATCH_CATEGORY}-`)) {
      const id = batchIdOf(recorded.stream);
      const before = this.batches.get(id) ?? batchDecider.initialState;
      this.batches.set(id, batchDecider.evolve(before, recorded.event as BatchEvent));
    }
  }

  stateOf(id: string): string {
    return (this.batches.get(id) ?? this.tasks.get(id))?.status ?? 'unknown';
  }

  hasEnded(id: string): boolean {
    return ENDED.includes(this.stateOf(id));
  }

  batchOf(task: string): string | undefined {
    const state = this.tasks.get(task);
    return !state || state.status === 'unknown' ? undefined : state.task.submission.batch;
  }

  statesIn(batch: string): string[] {
    return [...this.membersIn(batch)].map((task) => this.stateOf(task));
  }

  taskIds(): Iterable<string> {
    return this.tasks.keys();
  }

  /** What a task waits for: nothing that is done, and nothing once it has ended itself. */
  openNeeds(task: string): readonly Prerequisite[] {
    const state = this.tasks.get(task);
    if (!state || state.status === 'unknown') return [];
    return state.task.after.filter((one) => !this.isDone(one));
  }

  /** The tasks and batches that the given one waits for directly. A batch waits for its tasks. */
  waitsFor(id: string): readonly string[] {
    if (this.batches.has(id)) return [...this.membersIn(id)].filter((task) => !this.hasEnded(task));
    return this.hasEnded(id) ? [] : this.openNeeds(id).map(idOf);
  }

  private isDone(one: Prerequisite): boolean {
    const state = this.stateOf(idOf(one));
    return DONE.includes(state) || (ignoresAbort(one) && state === 'aborted');
  }

  private membersIn(batch: string): Set<string> {
    const members = this.members.get(batch) ?? new Set();
    this.members.set(batch, members);
    return members;
  }
}
