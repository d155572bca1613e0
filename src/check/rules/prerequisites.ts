import { idOf, ignoresAbort } from '../../domain/task/prerequisites.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, SeenTask, Tell } from '../rule.js';
import { violation } from '../violation.js';
import type { Graph } from './graph.js';

const LINKS = new Set(['TaskEnqueued', 'TaskPrepared', 'TaskPrerequisitesChanged']);

/** I13: what a task waits for is done before it is claimed, is kept until then, never waits for the task, and takes the task with it. */
export class Prerequisites implements Rule {
  private readonly aborts = new Map<string, TaskRecord>();
  /** By task, the last event that said for what it waits. */
  private readonly links = new Map<string, TaskRecord>();

  /** It keeps the graph up to date, so it must see an append before other rules that look at the graph. */
  constructor(private readonly graph: Graph) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const seen of append) {
      if (seen.id !== null) this.tooEarly(seen, tell);
      this.graph.take(seen);
      if (seen.id === null) continue;
      if (LINKS.has(seen.recorded.event.type)) this.waitsForItself(seen, tell);
      if (seen.recorded.event.type === 'TaskAborted') this.abortedTwice(seen, tell);
      if (seen.after.status !== 'aborted') this.aborts.delete(seen.id);
    }
  }

  forget(id: string): void {
    this.aborts.delete(id);
    this.links.delete(id);
    this.graph.forget(id);
  }

  /** What waited for an aborted task or batch has been aborted as well. */
  end(tell: Tell): void {
    for (const task of this.graph.taskIds()) {
      if (this.graph.hasEnded(task)) continue;
      const aborted = this.graph
        .openNeeds(task)
        .find((one) => !ignoresAbort(one) && this.graph.stateOf(idOf(one)) === 'aborted');
      if (!aborted) continue;
      const says = `Expected '${task}' to be aborted with '${idOf(aborted)}', but it is ${this.graph.stateOf(task)}`;
      tell(violation('I13', says, this.links.get(task)));
    }
  }

  private tooEarly({ recorded, id }: SeenTask, tell: Tell): void {
    const { type } = recorded.event;
    if (type === 'TaskDeleted') this.deletedTooEarly(recorded, id, tell);
    if (type !== 'TaskClaimed') return;
    for (const one of this.graph.openNeeds(id)) {
      const says = `Expected '${idOf(one)}' to be done before '${id}' is claimed, but it is ${this.graph.stateOf(idOf(one))}`;
      tell(violation('I13', says, recorded));
    }
  }

  /** A task of a deleted batch is deleted with all that waits for it. */
  private deletedTooEarly(recorded: TaskRecord, task: string, tell: Tell): void {
    const awaiting = this.graph.waitingFor(task).find((one) => !this.isDeletedWithBatch(one));
    if (awaiting === undefined) return;
    const says = `Expected task '${task}' to be kept while '${awaiting}' needs it, but it is deleted`;
    tell(violation('I13', says, recorded));
  }

  private isDeletedWithBatch(task: string): boolean {
    return this.graph.stateOf(this.graph.batchOf(task) ?? '') === 'deleted';
  }

  /** Whatever waits for the task's batch waits for the task. */
  private waitsForItself({ recorded, id }: SeenTask, tell: Tell): void {
    if (this.graph.openNeeds(id).length === 0) return;
    this.links.set(id, recorded);
    const seen = new Set(this.graph.waitsFor(id));
    for (const one of seen) for (const next of this.graph.waitsFor(one)) seen.add(next);
    if (seen.has(id) || seen.has(this.graph.batchOf(id) ?? ''))
      tell(violation('I13', `Expected task '${id}' to wait for others, but it waits for itself`, recorded));
  }

  private abortedTwice({ recorded, id }: SeenTask, tell: Tell): void {
    const before = this.aborts.get(id);
    if (before) tell(violation('I13', `Expected '${recorded.stream}' to be aborted once`, before, recorded));
    this.aborts.set(id, recorded);
  }
}
