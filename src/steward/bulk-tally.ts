import type { BulkResult, Refusal } from '../application/bulk-operations/bulk-operation.js';

const MOST_EXAMPLES = 20;

/** Counts what becomes of an operation, on from an earlier result. */
export class BulkTally {
  private accepted: number;
  private readonly codes: Record<string, number>;
  private readonly examples: BulkResult['examples'][number][];
  asked: number;

  constructor({ asked, done, refused, examples }: BulkResult = { asked: 0, done: 0, refused: {}, examples: [] }) {
    this.asked = asked;
    this.accepted = done;
    this.codes = { ...refused };
    this.examples = [...examples];
  }

  /** `refusal`: its code, perhaps with more; null if the task accepted the command. */
  add(task: string, refusal: Refusal | string | null): void {
    // What waits for several tasks may be asked with each.
    if (this.examples.some((one) => one.task === task)) return;
    this.asked++;
    if (refusal === null) this.accepted++;
    else this.refuse(task, typeof refusal === 'string' ? { code: refusal } : refusal);
  }

  get result(): BulkResult {
    return { asked: this.asked, done: this.accepted, refused: { ...this.codes }, examples: [...this.examples] };
  }

  private refuse(task: string, refusal: Refusal): void {
    const { code } = refusal;
    this.codes[code] = (this.codes[code] ?? 0) + 1;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push({ task, ...refusal });
  }
}
