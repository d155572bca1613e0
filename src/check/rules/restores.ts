import { sameContent } from '../../domain/kernel/json.js';
import { CHANGE_NOTHING } from '../../domain/task/task.events.js';
import type { KnownTask, TaskState } from '../../domain/task/task.state.js';
import type { LogTraits, Rule, Seen, SeenTask, Tell } from '../rule.js';
import { violation } from '../violation.js';

/** The last changes of a task that were made for the same thing. */
interface Doing {
  /** The correlation id. */
  readonly for: string;
  /** The state before the first of them. */
  readonly before: TaskState;
}

/** Most of a log. No operation that can be undone makes these. */
const OF_PLAIN_LIVES: ReadonlySet<string> = new Set(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);

/** I7: an undo gives a task the state back that it had before the operation, whatever the event of the undo says. */
export class Restores implements Rule {
  private readonly doings = new Map<string, Doing>();

  constructor(private readonly traits: Pick<LogTraits, 'isWhole'>) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const seen of append) {
      if (seen.id === null || CHANGE_NOTHING.includes(seen.recorded.event.type)) continue;
      this.wronglyRestored(seen, tell);
      this.follow(seen);
    }
  }

  forget(id: string): void {
    this.doings.delete(id);
  }

  private wronglyRestored({ recorded, id, after }: SeenTask, tell: Tell): void {
    const { type, data } = recorded.event;
    if (type !== 'TaskRestored') return;
    const last = this.doings.get(id);
    if (last?.for !== data.undoes || last.before.status === 'unknown') {
      tell(
        violation('I7', `Expected operation '${data.undoes}' to have changed '${id}' last, but it has not`, recorded),
      );
      return;
    }
    const [was, is] = [this.lasting(last.before), this.lasting(after as KnownTask)];
    if (!sameContent(was, is))
      tell(
        violation('I7', `Expected '${id}' to be as before the operation, but it is ${JSON.stringify(is)}`, recorded),
      );
  }

  private follow({ recorded: { event, envelope }, id, before }: SeenTask): void {
    if (OF_PLAIN_LIVES.has(event.type)) return this.forget(id);
    if (this.doings.get(id)?.for === envelope.correlationId) return;
    this.doings.set(id, { for: envelope.correlationId, before });
  }

  /** What comes back: nobody gets a running attempt back, and the error is private. */
  private lasting(state: KnownTask): object {
    const { status, task, ...more } = state as KnownTask & { readonly error?: object };
    const { error: _error, ...open } = more;
    const standing = status === 'running' ? {} : this.traits.isWhole ? more : open;
    return { status: status === 'running' ? 'pending' : status, task, ...standing };
  }
}
