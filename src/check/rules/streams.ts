import { RecentNames } from '../recent-names.js';
import type { Rule, Seen, Tell } from '../rule.js';
import type { StreamIndex } from '../stream-index.js';
import { violation } from '../violation.js';

/** I7: streams without gaps, and growing positions. */
export class Streams implements Rule {
  private position = 0n;
  /** Nobody can keep all ids of a long log at hand. */
  private readonly ids = new RecentNames();

  constructor(private readonly index: StreamIndex) {}

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded } of append) {
      const { id, stream, revision, position } = recorded;
      const expected = this.index.see(stream);
      if (revision !== expected)
        tell(violation('I7', `Expected revision ${expected} of '${stream}', but it is ${revision}`, recorded));
      if (position <= this.position)
        tell(violation('I7', `Expected a position above ${this.position}, but it is ${position}`, recorded));
      this.position = position;
      if (this.ids.add(id)) tell(violation('I7', `Expected one event of id '${id}', but there are two`, recorded));
    }
  }
}
