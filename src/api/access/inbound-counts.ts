/** What became of a request that says that it is a delivery. */
export type InboundOutcome = 'taken' | 'repeated' | 'refused' | 'unsigned';

/** Triggers beyond these share one count. */
const MOST_TRIGGERS = 200;
const OTHERS = '(others)';

/** How many deliveries this process got, by trigger. Whoever signs nothing names no trigger, or could make up any number of them. */
export class InboundCounts {
  private readonly counts = new Map<string, Map<InboundOutcome, number>>();

  add(trigger: string, outcome: InboundOutcome): void {
    const name = this.counts.has(trigger) || this.counts.size < MOST_TRIGGERS ? trigger : OTHERS;
    const counts = this.counts.get(name) ?? new Map<InboundOutcome, number>();
    this.counts.set(name, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  }

  get all(): readonly (readonly [trigger: string, outcome: InboundOutcome, count: number])[] {
    return [...this.counts].flatMap(([trigger, counts]) =>
      [...counts].map(([outcome, count]) => [trigger, outcome, count] as const),
    );
  }
}
