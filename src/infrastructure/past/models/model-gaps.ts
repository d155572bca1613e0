import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { eventsBetween, eventsUntilNext, type LogScale, positionsOf } from '../snapshots/snapshot.js';
import type { Gaps } from '../snapshots/snapshot-keeper.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import { type KeptModel, KEPT_MODELS } from '../kept-models.js';
import type { KeptAt, ModelSnapshots } from './model-snapshots.js';
import { rowsAfter } from './rows-after.js';

/** Keeps rows of models where none were kept: of a log from before, and after a model's rules have changed. */
export class ModelGaps implements Gaps {
  constructor(
    private readonly models: ModelSnapshots,
    private readonly snapshots: Snapshots,
    private readonly log: Pick<EventReads, 'readSegments'>,
    private readonly scale: LogScale,
    private readonly kept = KEPT_MODELS,
  ) {}

  async fill(head: bigint): Promise<boolean> {
    for (const kept of this.kept) {
      const from = await this.lastBeforeGap(kept, head);
      if (from === null) continue;
      await this.fillAfter(kept, from);
      return true;
    }
    return false;
  }

  /** As `SnapshotWriter.lastBeforeGap`. */
  private async lastBeforeGap({ model }: KeptModel, head: bigint): Promise<KeptAt | null> {
    const kept = [{ position: 0n, bytes: 0 }, ...(await this.models.everyPosition(model))];
    const isGap = (one: KeptAt, at: number): boolean => {
      const events = eventsBetween(this.scale, one.position, kept[at + 1]?.position ?? head);
      return events > 2 * eventsUntilNext(this.scale, one);
    };
    return kept.find(isGap) ?? null;
  }

  private async fillAfter({ model, isNeeded }: KeptModel, from: KeptAt): Promise<void> {
    const base = await this.models.before(model, from.position);
    const upTo = from.position + positionsOf(this.scale, eventsUntilNext(this.scale, from));
    const { position, recordedAt, rows } = await rowsAfter(this.log, model, base, upTo);
    const at = recordedAt === null ? 0 : Date.parse(recordedAt);
    const needed = rows.filter((row) => isNeeded(row, at));
    const { bytes } = await this.snapshots.before(position);
    await this.models.store(model, { position, rows: needed }, bytes);
  }
}
