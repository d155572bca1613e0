import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { Rule, Seen } from '../rule.js';
import type { StreamIndex } from '../stream-index.js';
import { type Violation, violation } from '../violation.js';

/** An id that is given twice is found among so many events, because nobody can keep all ids of a long log at hand. */
const IDS = 100_000;

/** I7: streams without gaps, and growing positions. */
export class Streams implements Rule {
  private position = 0n;
  /** In the order in which they came. */
  private readonly ids = new Set<string>();

  constructor(private readonly index: StreamIndex) {}

  *take(append: readonly Seen[]): Generator<Violation> {
    for (const { recorded } of append) {
      const { stream, revision, position } = recorded;
      const expected = this.index.see(stream);
      if (revision !== expected)
        yield violation('I7', `Expected revision ${expected} of '${stream}', but it is ${revision}`, recorded);
      if (position <= this.position)
        yield violation('I7', `Expected a position above ${this.position}, but it is ${position}`, recorded);
      this.position = position;
      yield* this.idOf(recorded);
    }
  }

  private *idOf(recorded: RecordedEvent): Generator<Violation> {
    const { id } = recorded;
    if (this.ids.has(id)) yield violation('I7', `Expected one event of id '${id}', but there are two`, recorded);
    this.ids.add(id);
    if (this.ids.size > IDS) this.ids.delete(this.ids.values().next().value!);
  }
}
