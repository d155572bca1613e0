/** Another store does not take the place of one under the same address sooner. */
const VALID_MS = 1_000;

/** Up to where the log was just seen to be the one that is known, so that what needs it at once need not look again. */
export class RecognisedLog {
  private position = -1n;
  private at = -Infinity;

  /** The log has the record at this position that it had before. It has all those before it, too: records never change. */
  upTo(position: bigint): void {
    this.position = position;
    this.at = performance.now();
  }

  includes(position: bigint): boolean {
    return position <= this.position && performance.now() - this.at < VALID_MS;
  }
}
