import { Loop } from '../../projection-engine/loop.js';
import type { EventStoreDbLog } from './eventstoredb-log.js';
import type { PostgresLogMarks } from './postgres-log-marks.js';

const LOOK_MS = 60_000;

/** Notes once a minute how the log ends, and keeps few enough of the stretches. Any number of processes may do it. */
export class LogMarker {
  private readonly loop = new Loop('mark the end of the log', () => this.round());

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly marks: PostgresLogMarks,
  ) {}

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  async look(): Promise<void> {
    const mark = await this.log.mark();
    if (mark) await this.marks.note(mark);
    await this.marks.prune();
  }

  private async round(): Promise<number> {
    await this.look();
    return LOOK_MS;
  }
}
