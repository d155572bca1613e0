/**
 * What becomes of an append. `lose`: neither stored nor answered; `drop`: stored, never answered; `timeout`: refused so;
 * `unplaced`: answered without its position, as one is that the cluster has not yet made readable.
 */
export type AppendFault =
  | { readonly kind: 'lose' | 'drop' | 'timeout' | 'unplaced' }
  | { readonly kind: 'hold'; readonly until: Promise<unknown> };

interface Planned {
  readonly fault: AppendFault;
  readonly matches: (stream: string) => boolean;
}

/** The troubles that a test asks for. */
export class Faults {
  private readonly planned: Planned[] = [];
  private readonly open = new Set<() => void>();

  /** The next append to a stream that matches meets this; each is met once. */
  planAppend(fault: AppendFault, matches: (stream: string) => boolean = () => true): void {
    this.planned.push({ fault, matches });
  }

  takeForAppend(stream: string): AppendFault | null {
    const at = this.planned.findIndex(({ matches }) => matches(stream));
    return at === -1 ? null : this.planned.splice(at, 1)[0]!.fault;
  }

  /** The subscriptions open now never get anything again, and no error either; later ones work. */
  silenceSubscriptions(): void {
    for (const silence of this.open) silence();
    this.open.clear();
  }

  /** A subscription registers what makes it silent; the answer takes it back. */
  register(silence: () => void): () => void {
    this.open.add(silence);
    return () => this.open.delete(silence);
  }
}
