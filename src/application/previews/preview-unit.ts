import type { IndexLook } from '../bulk-operations/index-look.port.js';
import { type AppendItem, type AppendResult, type EventStore, NO_STREAM } from '../kernel/event-store.port.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';

/**
 * Stands in for the event store while a command is previewed. It is never committed, so it asks at each append what the
 * commit would find: the command then handles a refusal like any other.
 */
export class PreviewUnit extends UnitOfWork {
  override readonly isPreview = true;
  private readonly created = new Set<string>();

  constructor(
    store: EventStore,
    private readonly index: IndexLook,
  ) {
    super(store);
  }

  override async append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    // Nobody has read the stream of something new, which may be there.
    await this.readStreams(items.map(({ stream }) => stream));
    for (const { stream, expected } of items) if (expected === NO_STREAM) this.created.add(stream);
    const looked = items.map((item) => this.withoutOwnGuards(item));
    const refusals = await this.index.refusals(looked, [...this.created]);
    return items.map((item, at) => {
      const refusal = refusals[at]!;
      return refusal === null ? this.keep(item) : { ...refusal, kind: 'refused' };
    });
  }
}
