import { Signal } from '../notify/signal.js';

/** How far this process's followers have come: spares those who wait for one a look into the database. */
export class Progress {
  readonly changed = new Signal();
  private readonly positions = new Map<string, bigint>();

  reached(name: string, position: bigint): void {
    this.positions.set(name, position);
    this.changed.emit();
  }

  /** Another process may continue it. */
  ended(name: string): void {
    this.positions.delete(name);
    this.changed.emit();
  }

  of(name: string): bigint | undefined {
    return this.positions.get(name);
  }
}
