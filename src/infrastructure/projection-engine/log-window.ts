import type { RecordedEvent } from '../../application/kernel/event-store.port.js';

type Batch = readonly RecordedEvent[];

/** How far a follower has come, as the window sees it. */
export interface Place {
  after: bigint;
}

const lastPosition = (batch: Batch): bigint => batch.at(-1)!.position;

/** The newest stretch of the log, without holes, kept until the followers have passed it or it grows too long. */
export class LogWindow {
  readonly places = new Set<Place>();
  private range: { start: bigint; end: bigint } | null = null;
  private readonly batches: Batch[] = [];

  constructor(private readonly most: number) {}

  /** Everything after `position` will be pushed from now on. */
  begin(position: bigint): void {
    this.range ??= { start: position, end: position };
  }

  /** Whether the window lacks events after this position. */
  isBehind(after: bigint): boolean {
    return this.range === null || after < this.range.start;
  }

  /** The next events after this position, or none yet. */
  after(after: bigint): Batch {
    const batch = this.batches.find((events) => lastPosition(events) > after) ?? [];
    return batch.length === 0 || batch[0]!.position > after ? batch : batch.filter(({ position }) => position > after);
  }

  push(batch: Batch): void {
    this.range!.end = lastPosition(batch);
    this.batches.push(batch);
    if (this.batches.length > this.most) this.dropOldest();
  }

  /** The window is full only while its fastest follower has something left to take: slower ones read for themselves. */
  get isFull(): boolean {
    const somebodyWaits = [...this.places].some(({ after }) => after >= this.range!.end);
    return this.batches.length >= this.most && !somebodyWaits;
  }

  /** Lets go of what every follower has taken. */
  release(): void {
    while (this.batches.length > 0 && this.isPassed(this.batches[0]!)) this.dropOldest();
  }

  private isPassed(batch: Batch): boolean {
    return [...this.places].every(({ after }) => after >= lastPosition(batch));
  }

  private dropOldest(): void {
    this.range!.start = lastPosition(this.batches.shift()!);
  }
}
