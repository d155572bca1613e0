/**
 * The most bytes of events or rows that one step reads or answers: a page of the log, the tasks of a claim, a round of
 * the outbox, a commit. The first item is always taken, so a step with a larger one consists of it alone. With twenty
 * such steps at once, and each value ten times its size in memory, a heap of 512 MB is not even half full.
 */
export const STEP_BYTES = 4 * 1024 * 1024;

/** Room for bytes that are in memory at the same time. */
export class ByteBudget {
  private taken = 0;

  constructor(readonly most: number = STEP_BYTES) {}

  /** Whether everything is taken. The last item may have gone beyond. */
  get isSpent(): boolean {
    return this.taken >= this.most;
  }

  /** Takes the bytes, or returns false. Whatever is taken first fits, so that a larger item passes alone. */
  take(bytes: number, most = this.most): boolean {
    if (this.taken > 0 && this.taken + bytes > most) return false;
    this.taken += bytes;
    return true;
  }

  /** Takes the bytes in any case, as of an item that is there already. */
  spend(bytes: number): void {
    this.taken += bytes;
  }

  giveBack(bytes: number): void {
    this.taken -= bytes;
  }
}

/** About how many bytes the value has as JSON. Exact sizes would cost as much as serialising it. */
export function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const name in value) bytes += name.length + 4 + roughBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
