import { Signal } from '../../application/kernel/signal.js';

/** The positions that this process's followers have reached, so that waiting callers need not query the database. */
export class Progress {
  readonly changed = new Signal();
  private readonly positions = new Map<string, bigint>();

  reached(name: string, position: bigint): void {
    this.positions.set(name, position);
    this.changed.emit();
  }

  /** The follower stopped here. Another process may continue it. */
  ended(name: string): void {
    this.positions.delete(name);
    this.changed.emit();
  }

  of(name: string): bigint | undefined {
    return this.positions.get(name);
  }
}
