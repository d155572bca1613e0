import type { BulkResult } from '../application/bulk-operations/bulk-operation.js';

const MOST_EXAMPLES = 20;

/** Counts what becomes of an operation, on from an earlier result. */
export class BulkTally {
  private accepted: number;
  private readonly codes: Record<string, number>;
  private readonly examples: { readonly task: string; readonly code: string }[];
  asked: number;

  constructor({ asked, done, refused, examples }: BulkResult = { asked: 0, done: 0, refused: {}, examples: [] }) {
    this.asked = asked;
    this.accepted = done;
    this.codes = { ...refused };
    this.examples = [...examples];
  }

  /** `refusal`: its code; null if the task accepted the command. */
  add(task: string, refusal: string | null): void {
    this.asked++;
    if (refusal === null) this.accepted++;
    else this.refuse(task, refusal);
  }

  get result(): BulkResult {
    return { asked: this.asked, done: this.accepted, refused: { ...this.codes }, examples: [...this.examples] };
  }

  private refuse(task: string, code: string): void {
    this.codes[code] = (this.codes[code] ?? 0) + 1;
    if (this.examples.length < MOST_EXAMPLES) this.examples.push({ task, code });
  }
}
