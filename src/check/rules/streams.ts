import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import type { Rule, Seen } from '../rule.js';
import type { StreamIndex } from '../stream-index.js';
import { type Violation, violation } from '../violation.js';

/** An id that is given twice is found among at least so many events, because nobody can keep all ids of a long log at hand. */
const IDS = 100_000;

/** I7: streams without gaps, and growing positions. */
export class Streams implements Rule {
  private position = 0n;
  /** Two generations: to take the oldest id out of one set costs more the more were taken out before. */
  private ids = new Set<string>();
  private earlier = new Set<string>();

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
    if (this.ids.has(id) || this.earlier.has(id))
      yield violation('I7', `Expected one event of id '${id}', but there are two`, recorded);
    if (this.ids.size >= IDS) [this.earlier, this.ids] = [this.ids, new Set()];
    this.ids.add(id);
  }
}
