/**
 * What happens to an append. `lose`: it is neither stored nor answered. `drop`: it is stored but never answered.
 * `timeout`: it is refused with a time-out. `unplaced`: it is answered without its position, like one that the cluster
 * has not made readable yet.
 */
export type AppendFault =
  | { readonly kind: 'lose' | 'drop' | 'timeout' | 'unplaced' }
  | { readonly kind: 'hold'; readonly until: Promise<unknown> };

interface Planned {
  readonly fault: AppendFault;
  readonly matches: (stream: string) => boolean;
}

/** The faults that a test plans. */
export class Faults {
  private readonly planned: Planned[] = [];
  private readonly open = new Set<() => void>();
  private passing = false;

  /** Plans a fault for the next append to a matching stream. Each fault occurs once. */
  planAppend(fault: AppendFault, matches: (stream: string) => boolean = () => true): void {
    this.planned.push({ fault, matches });
  }

  takeForAppend(...streams: readonly string[]): AppendFault | null {
    const at = this.planned.findIndex(({ matches }) => streams.some(matches));
    return at === -1 ? null : this.planned.splice(at, 1)[0]!.fault;
  }

  /** The currently open subscriptions get nothing more, and no error either. Later ones work. */
  silenceSubscriptions(): void {
    for (const silence of this.open) silence();
    this.open.clear();
  }

  /** The next event that a filtered subscription would send comes after its checkpoint, for which the connection breaks. */
  passEvent(): void {
    this.passing = true;
  }

  takePassing(): boolean {
    const { passing } = this;
    this.passing = false;
    return passing;
  }

  /** Registers the function that silences a subscription. Returns one that unregisters it. */
  register(silence: () => void): () => void {
    this.open.add(silence);
    return () => this.open.delete(silence);
  }
}
