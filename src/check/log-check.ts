import type { RecordedEvent } from '../application/kernel/recorded-event.js';
import { AGGREGATES, type Category, categoryOf } from '../domain/aggregates.js';
import type { Decider, DomainEvent } from '../domain/kernel/decider.js';
import { taskDecider } from '../domain/task/task.decider.js';
import type { TaskStatus } from '../domain/task/task.events.js';
import type { KnownTask, TaskState } from '../domain/task/task.state.js';
import { taskIdOf } from '../domain/task/task.stream.js';
import { Appends, isOfTask, type TaskRecord } from './appends.js';
import type { LogTraits, Rule, Seen, SeenTask, Tell } from './rule.js';
import { Batches } from './rules/batches.js';
import { Claims } from './rules/claims.js';
import { Copies } from './rules/copies.js';
import { Decisions } from './rules/decisions.js';
import { EventFirings } from './rules/event-firings.js';
import { Gates } from './rules/gates.js';
import { Graph } from './rules/graph.js';
import { Jobs } from './rules/jobs.js';
import { Limits } from './rules/limits.js';
import { Occurrences } from './rules/occurrences.js';
import { Order } from './rules/order.js';
import { Prerequisites } from './rules/prerequisites.js';
import { Rates } from './rules/rates.js';
import { Restores } from './rules/restores.js';
import { Steps } from './rules/steps.js';
import { Streams } from './rules/streams.js';
import { TimeLimits } from './rules/time-limits.js';
import { StreamIndex } from './stream-index.js';
import { type Violation, violation } from './violation.js';

const ENDED: ReadonlySet<TaskStatus> = new Set(['succeeded', 'cancelled', 'aborted', 'superseded', 'deleted']);

/** What a failed task has is copied later, and a cancelled one is aborted with what it waits for. */
const isForgettable = ({ status, task }: KnownTask): boolean =>
  ENDED.has(status) && (status !== 'cancelled' || task.after.length === 0);

/**
 * Checks a log from its beginning on. The index has counted every event before the first is taken, so that a task is forgotten with its last
 * one: the memory follows the tasks that are open or failed, and the streams with some 30 bytes each.
 */
export class LogCheck {
  /** Whether commands decide as they did. */
  readonly decisions: Decisions;
  private readonly rules: readonly Rule[];
  private readonly tasks = new Map<string, TaskState>();
  private readonly others = new Map<string, unknown>();
  private readonly found: Violation[] = [];
  private readonly tell: Tell = (broken) => void this.found.push(broken);

  /** `onTask` gets each append to a task before the rules do. */
  constructor(
    traits: LogTraits,
    private readonly index: StreamIndex,
    private readonly onTask?: (append: readonly SeenTask[]) => void,
  ) {
    const { isWhole, isForeign = false } = traits;
    const graph = new Graph(this.index);
    this.decisions = new Decisions(traits);
    this.rules = [
      new Streams(this.index),
      new Claims(),
      new Limits(),
      ...(traits.claimsTakeTurns ? [new Rates()] : []),
      this.decisions,
      new Prerequisites(graph),
      new Batches(graph, isForeign),
      new Copies(this.index, isForeign),
      new Occurrences(this.index, isForeign),
      new EventFirings(),
      // Which tasks share a key is private, and of each key only the first is in line.
      ...(isWhole ? [new Order(traits)] : []),
      new Jobs(this.index),
      new Steps(),
      new Restores(traits),
      new Gates(),
      new TimeLimits(),
    ];
  }

  /** How many tasks it keeps at hand. */
  get open(): number {
    return this.tasks.size;
  }

  /** Takes the events of one append to one stream. Returns the promises that it breaks. */
  take(append: readonly RecordedEvent[]): readonly Violation[] {
    const seen: Seen[] = [];
    for (const recorded of append) this.fold(recorded, seen);
    if (seen.length === 0) return this.broken();
    if (seen[0]!.id !== null) this.onTask?.(seen as readonly SeenTask[]);
    for (const rule of this.rules) rule.take(seen, this.tell);
    this.forgetEnded(seen.at(-1)!);
    return this.broken();
  }

  /** What must hold once the work of the log is done. */
  end(): readonly Violation[] {
    for (const rule of this.rules) rule.end?.(this.tell);
    return this.broken();
  }

  private broken(): readonly Violation[] {
    return this.found.length === 0 ? NOTHING : this.found.splice(0);
  }

  private fold(recorded: RecordedEvent, seen: Seen[]): void {
    try {
      this.see(recorded, seen);
    } catch (error) {
      const fault = (error as Error).message;
      const says = `Expected '${recorded.event.type}' of '${recorded.stream}' to be folded, but it cannot: ${fault}`;
      this.tell(violation('I7', says, recorded));
    }
  }

  /** What cannot be folded is not seen if it is of a task, because what it made of it is not known. */
  private see(recorded: RecordedEvent, seen: Seen[]): void {
    if (!isOfTask(recorded)) {
      seen.push({ recorded, id: null, before: null, after: null });
      return this.foldOther(recorded);
    }
    const before = this.tasks.get(recorded.stream) ?? taskDecider.initialState;
    const after = taskDecider.evolve(before, recorded.event);
    this.tasks.set(recorded.stream, after);
    seen.push({ recorded, id: taskIdOf(recorded.stream), before, after });
  }

  private foldOther({ stream, event }: RecordedEvent): void {
    const aggregate = AGGREGATES[categoryOf(stream) as Category] as { readonly decider: unknown } | undefined;
    if (!aggregate) throw new Error(`no aggregate has streams of '${categoryOf(stream)}'`);
    const decider = aggregate.decider as Decider<unknown, never, DomainEvent, unknown>;
    this.others.set(stream, decider.evolve(this.others.get(stream) ?? decider.initialState, event));
  }

  private forgetEnded({ recorded: { stream }, id, after }: Seen): void {
    if (id === null || !this.index.isOver(stream)) return;
    if (after.status === 'unknown' || !isForgettable(after)) return;
    this.tasks.delete(stream);
    this.index.end(stream, after.status);
    for (const rule of this.rules) rule.forget?.(id, stream);
  }
}

/** A history without its beginning is not folded, because its revisions say so. */
export const evolveTask = (state: TaskState, event: TaskRecord['event']): TaskState =>
  state.status === 'unknown' && !('kind' in event.data) ? state : taskDecider.evolve(state, event);

const NOTHING: readonly Violation[] = [];

/** The broken promises of a log that is in memory. `isOver`: whether all of its work is done. */
export function violationsIn(
  events: readonly RecordedEvent[],
  { isOver = false, ...traits }: LogTraits & { readonly isOver?: boolean },
): readonly Violation[] {
  const index = new StreamIndex();
  for (const { stream } of events) index.count(stream);
  const check = new LogCheck(traits, index);
  const appends = new Appends();
  const found = events.flatMap((recorded) => check.take(appends.take(recorded) ?? []));
  found.push(...check.take(appends.end() ?? []));
  return isOver ? [...found, ...check.end()] : found;
}
