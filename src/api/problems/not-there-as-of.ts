import type { Rejection } from '../../application/kernel/application-error.js';

/** What did not exist at the moment that was asked for, or never. */
export class NotThereAsOf extends Error {
  override readonly name = 'NotThereAsOf';

  constructor(
    /** As if it did not exist now. */
    readonly rejection: Rejection,
    private readonly moment: { readonly position: bigint },
    private readonly beginning: { readonly position: bigint; readonly recordedAt: string } | null,
  ) {
    super(rejection.code);
  }

  /** What the problem says beyond the refusal. Nothing about what never existed. */
  get facts(): object {
    if (this.beginning === null) return {};
    const { position, recordedAt: at } = this.beginning;
    return {
      detail: `Expected ${subjectOf(this.rejection)} to exist at position ${this.moment.position}, but it exists from position ${position} on`,
      existsFrom: { position: String(position), at },
    };
  }
}

/** As in the code: 'the task', 'the queue'. */
const subjectOf = ({ code }: Rejection): string => `the ${code.slice(0, code.indexOf('_')).toLowerCase()}`;
