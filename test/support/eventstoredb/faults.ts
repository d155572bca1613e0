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

/** An event as a fault is planned for it. */
export interface Sent {
  /** With the prefix of the store. */
  readonly stream: string;
  readonly type: string;
  readonly revision: bigint;
}

interface PlannedSending {
  readonly kind: 'skip' | 'repeat' | 'rewind';
  readonly matches: (event: Sent) => boolean;
}

/** The faults that a test plans. */
export class Faults {
  private readonly planned: Planned[] = [];
  private readonly open = new Set<() => void>();
  private passing = false;
  private readonly sendings: PlannedSending[] = [];

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

  /** The next matching event is left out by the first subscription that would send it. */
  skipEvent(matches: (event: Sent) => boolean): void {
    this.sendings.push({ kind: 'skip', matches });
  }

  /** The next matching event is sent twice by the first subscription that sends it. */
  repeatEvent(matches: (event: Sent) => boolean): void {
    this.sendings.push({ kind: 'repeat', matches });
  }

  /** After the next matching event, the first subscription that sends it begins at the start of the log again. */
  rewindAfter(matches: (event: Sent) => boolean): void {
    this.sendings.push({ kind: 'rewind', matches });
  }

  takeForSending(event: Sent): PlannedSending['kind'] | null {
    const at = this.sendings.findIndex(({ matches }) => matches(event));
    return at === -1 ? null : this.sendings.splice(at, 1)[0]!.kind;
  }

  /** How many events are still to be left out or sent twice. */
  get unsent(): number {
    return this.sendings.length;
  }

  /** How many subscriptions are open and not silenced. */
  get subscriptions(): number {
    return this.open.size;
  }

  /** Registers the function that silences a subscription. Returns one that unregisters it. */
  register(silence: () => void): () => void {
    this.open.add(silence);
    return () => this.open.delete(silence);
  }
}
