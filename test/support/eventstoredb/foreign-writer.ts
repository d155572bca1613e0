import { randomUUID } from 'node:crypto';
import type { FixtureLog } from './fixture-log.js';

const EVERY_MS = 10;
const STREAMS = 997;

/** Another program, which writes its own events to the store until it is stopped. */
export class ForeignWriter {
  private written = 0;
  private readonly began = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly log: FixtureLog,
    private readonly perSecond: number,
  ) {
    this.timer = setInterval(() => this.writeDue(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private writeDue(): void {
    const due = ((performance.now() - this.began) / 1_000) * this.perSecond;
    while (this.written < due) this.write(this.written++);
  }

  private write(n: number): void {
    const data = Buffer.from(JSON.stringify({ n, text: 'x'.repeat(200) }));
    const event = {
      id: randomUUID(),
      type: 'other',
      contentType: 'application/json',
      metadata: new Uint8Array(),
      data,
    };
    this.log.append(`other-${n % STREAMS}`, 'any', [event]);
  }
}
