import type { TaskEventOf } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { Writes, writes } from '../../projections/kernel/rows/task-row-change.js';
import { taskRowChange } from '../../projections/kernel/rows/task-row-rules.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { type Violation, violation } from '../violation.js';

/** Where a task with steps is. */
interface Place {
  readonly steps: readonly string[];
  /** Null after the last one. */
  next: string | null;
}

/**
 * I19: a task with steps begins with the first, or a copy where its original stopped, goes through them in order, continues where it stopped and nowhere else, and
 * succeeds after the last.
 */
export class Steps implements Rule {
  private readonly places = new Map<string, Place>();

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id } of append) {
      if (id === null) continue;
      const place = placeIn(recorded) ?? this.places.get(id);
      if (!place) continue;
      this.places.set(id, place);
      moved(place, recorded, tell);
    }
  }

  forget(id: string): void {
    this.places.delete(id);
  }
}

/** Where a task begins. Null if it does not begin with this event, or has no steps. */
function placeIn({ event }: TaskRecord): Place | null {
  if (event.type !== 'TaskPrepared' && event.type !== 'TaskEnqueued' && event.type !== 'TaskEnqueueRejected')
    return null;
  const { steps, rerunOf } = event.data;
  return steps ? { steps, next: rerunOf?.step ?? steps[0]! } : null;
}

function moved(place: Place, recorded: TaskRecord, tell: Tell): void {
  const { event } = recorded;
  switch (event.type) {
    case 'TaskClaimed':
      return at(place, event.data.step ?? null, 'be claimed', recorded, tell);
    case 'TaskStepCompleted':
      at(place, event.data.step, 'complete', recorded, tell);
      return goesOn(place, event, recorded, tell);
    case 'TaskSucceeded':
      return at(place, null, 'succeed', recorded, tell);
    default: {
      const change = taskRowChange(event);
      if (writes(change, Writes.step)) place.next = change.step;
    }
  }
}

function goesOn(place: Place, { data }: TaskEventOf<'TaskStepCompleted'>, recorded: TaskRecord, tell: Tell): void {
  place.next = place.steps[place.steps.indexOf(data.step) + 1] ?? null;
  const isNext = (data.next ?? null) === place.next && (data.then === 'finish') === (place.next === null);
  if (!isNext) tell(said(recorded, `go on at ${place.next}`, `${data.then} at ${data.next}`));
}

function at(place: Place, step: string | null, doing: string, recorded: TaskRecord, tell: Tell): void {
  if (step !== place.next) tell(said(recorded, `${doing} at ${place.next}`, `it is at ${step}`));
}

const said = (recorded: TaskRecord, expected: string, actual: string): Violation =>
  violation('I19', `Expected '${taskIdOf(recorded.stream)}' to ${expected}, but ${actual}`, recorded);
