import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import type { BatchState } from '../../domain/batch/batch.state.js';
import { BATCH_CATEGORY, batchIdOf } from '../../domain/batch/batch.stream.js';
import { idOf, ignoresAbort } from '../../domain/task/prerequisites.js';
import type { Prerequisite } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import type { LogIndex, Seen } from '../rule.js';

const DONE = ['succeeded', 'superseded', 'completed', 'deleted'];
const ENDED = ['succeeded', 'superseded', 'aborted', 'deleted'];

/** The tasks and batches as of a position of the log, and what waits for what. */
export class Graph {
  private readonly tasks = new Map<string, TaskState>();
  private readonly batches = new Map<string, BatchState>();
  /** Of each batch, how many tasks are in which state. */
  private readonly counts = new Map<string, Map<string, number>>();
  private readonly openMembers = new Map<string, Set<string>>();
  /** By task or batch, the tasks that named it and have not ended. */
  private readonly named = new Map<string, Set<string>>();

  constructor(private readonly index: LogIndex) {}

  take({ recorded, id, before, after }: Seen): void {
    if (id !== null) this.takeTask(id, before, after);
    else if (recorded.stream.startsWith(`${BATCH_CATEGORY}-`)) {
      const batch = batchIdOf(recorded.stream);
      const state = this.batches.get(batch) ?? batchDecider.initialState;
      this.batches.set(batch, batchDecider.evolve(state, recorded.event as BatchEvent));
    }
  }

  forget(id: string): void {
    this.tasks.delete(id);
  }

  stateOf(id: string): string {
    return (this.batches.get(id) ?? this.tasks.get(id))?.status ?? this.index.endedAs(id) ?? 'unknown';
  }

  hasEnded(id: string): boolean {
    return ENDED.includes(this.stateOf(id));
  }

  batchOf(task: string): string | undefined {
    const state = this.tasks.get(task);
    return !state || state.status === 'unknown' ? undefined : state.task.submission.batch;
  }

  /** How many tasks of the batch are in which state. */
  countsIn(batch: string): ReadonlyMap<string, number> {
    return this.counts.get(batch) ?? new Map<string, number>();
  }

  /** All that have not ended. */
  taskIds(): Iterable<string> {
    return this.tasks.keys();
  }

  /** The tasks that wait for the given one directly. */
  waitingFor(id: string): readonly string[] {
    return [...(this.named.get(id) ?? [])].filter((one) => this.waitsFor(one).includes(id));
  }

  /** What a task waits for: nothing that is done, and nothing once it has ended itself. */
  openNeeds(task: string): readonly Prerequisite[] {
    const state = this.tasks.get(task);
    if (!state || state.status === 'unknown' || state.task.after.length === 0) return NOTHING;
    return state.task.after.filter((one) => !this.isDone(one));
  }

  /** The tasks and batches that the given one waits for directly. A batch waits for its tasks. */
  waitsFor(id: string): readonly string[] {
    if (this.batches.has(id)) return [...(this.openMembers.get(id) ?? [])];
    return this.hasEnded(id) ? [] : this.openNeeds(id).map(idOf);
  }

  private takeTask(id: string, before: TaskState, after: TaskState): void {
    this.tasks.set(id, after);
    if (after.status === 'unknown') return;
    const wasOpen = before.status !== 'unknown' && !ENDED.includes(before.status);
    if (ENDED.includes(after.status)) this.unname(id, after.task.after);
    else if (!wasOpen || before.task.after !== after.task.after)
      for (const one of after.task.after) setOf(this.named, idOf(one)).add(id);
    const { batch } = after.task.submission;
    if (batch === undefined || before.status === after.status) return;
    this.countMove(batch, before.status, after.status);
    if (ENDED.includes(after.status)) setOf(this.openMembers, batch).delete(id);
    else setOf(this.openMembers, batch).add(id);
  }

  private unname(id: string, needs: readonly Prerequisite[]): void {
    for (const one of needs) {
      const waiting = this.named.get(idOf(one));
      waiting?.delete(id);
      if (waiting?.size === 0) this.named.delete(idOf(one));
    }
  }

  private countMove(batch: string, from: string, to: string): void {
    const counts = this.counts.get(batch) ?? new Map<string, number>();
    this.counts.set(batch, counts);
    if (from !== 'unknown') counts.set(from, counts.get(from)! - 1);
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }

  private isDone(one: Prerequisite): boolean {
    const state = this.stateOf(idOf(one));
    return DONE.includes(state) || (ignoresAbort(one) && state === 'aborted');
  }
}

const NOTHING: readonly Prerequisite[] = [];

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  const known = sets.get(key);
  if (known) return known;
  const made = new Set<string>();
  sets.set(key, made);
  return made;
}
