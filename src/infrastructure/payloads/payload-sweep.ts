import { Injectable, Optional } from '@nestjs/common';
import { Clock } from '../../application/kernel/clock.port.js';
import { EventReads } from '../../application/kernel/event-store.port.js';
import { dayOf } from '../../application/kernel/outside-payloads.js';
import { PayloadFigures } from '../../application/kernel/payload-figures.js';
import { type PayloadPlace, PayloadStore } from '../../application/kernel/payload-store.port.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { outsidePayloadOf } from '../../domain/task/outside-payload.js';
import { taskStream } from '../../domain/task/task.stream.js';

/** As many as a bucket lists at once. */
const AT_ONCE = 1_000;
const DAY_MS = 86_400_000;

/**
 * Deletes payloads that no event names: their append was refused, or its process was killed. A submission says in the event on which day it
 * stored its payload, and has long ended when the day after that has ended, too: only such payloads are looked at, each once.
 */
@Injectable()
export class PayloadSweep {
  private reached: PayloadPlace | null = null;

  constructor(
    private readonly store: PayloadStore,
    private readonly events: EventReads,
    private readonly clock: Clock,
    private readonly figures: PayloadFigures,
    @Optional() private readonly atOnce = AT_ONCE,
  ) {}

  /** Looks at some. True if there may be more. Rejects if a store is unavailable, or the payloads are of another log, which names none of them. */
  async next(): Promise<boolean> {
    const yesterday = dayOf(new Date(this.clock.now().getTime() - DAY_MS));
    const places = await this.store.list(this.reached, yesterday, this.atOnce);
    for (const place of await this.unnamed(places)) {
      await this.store.delete(place);
      this.figures.swept++;
    }
    this.reached = places.at(-1) ?? this.reached;
    return places.length === this.atOnce;
  }

  /** Nobody knows which payloads a stream names that cannot be read. */
  private async unnamed(places: readonly PayloadPlace[]): Promise<PayloadPlace[]> {
    const tasks = [...new Set(places.map(({ task }) => task))];
    const found = await readEach(
      tasks.map(taskStream),
      (streams) => this.events.readFirst(streams),
      (history) => history.flatMap(({ event }) => outsidePayloadOf(event) ?? []),
    );
    const named = new Map(tasks.map((task, at) => [task, found[at]!]));
    return places.filter(({ task, sha256, day }) => {
      const payloads = named.get(task)!;
      if (payloads instanceof UnreadableStream) return false;
      return !payloads.some((one) => one.sha256 === sha256 && one.day === day);
    });
  }
}
