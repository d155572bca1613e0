import { Injectable, Logger } from '@nestjs/common';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { Json } from '../../domain/kernel/json.js';
import { inPlaceOf, outsidePayloadIn } from '../../domain/task/outside-payload.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import { Refused, type Rejection } from './application-error.js';
import { Clock } from './clock.port.js';
import { PayloadFigures } from './payload-figures.js';
import { digestOf, PayloadStore, PayloadStoreUnavailable } from './payload-store.port.js';

/** How many objects a request reads or writes at the same time. Each may have 16 MiB. */
const AT_ONCE = 4;

/** Payloads that their queue's policy keeps outside the log. */
@Injectable()
export class OutsidePayloads {
  private readonly logger = new Logger(OutsidePayloads.name);
  /** Whether the log has said so: once, and not with each payload, until the store answers again. */
  private isAway = false;

  constructor(
    private readonly store: PayloadStore,
    private readonly clock: Clock,
    private readonly figures: PayloadFigures,
  ) {}

  /**
   * The events as they are to be appended. A payload that is larger is stored first, so the log never names one that was not there.
   * Throws `Refused` with PAYLOAD_STORE_UNAVAILABLE.
   */
  async takeOut(stream: string, events: readonly DomainEvent[], aboveBytes: number): Promise<readonly DomainEvent[]> {
    const left: DomainEvent[] = [];
    for (const event of events) left.push(await this.withoutLarge(taskIdOf(stream), event, aboveBytes));
    return left;
  }

  /** The payload that a task has. Throws `Refused` with PAYLOAD_MISSING, PAYLOAD_CHANGED or PAYLOAD_STORE_UNAVAILABLE. */
  async read(task: string, payload: Json): Promise<Json> {
    const outside = outsidePayloadIn(payload);
    if (outside === null) return payload;
    const { sha256, bytes, day } = outside;
    const text = await this.reached(this.store.get({ task, sha256, day }, bytes));
    if (text === null) return this.refuse({ code: 'PAYLOAD_MISSING', sha256 });
    if (digestOf(text) !== sha256) return this.refuse({ code: 'PAYLOAD_CHANGED', sha256 });
    this.figures.gave(bytes);
    return JSON.parse(text.toString('utf8')) as Json;
  }

  private async withoutLarge(task: string, event: DomainEvent, aboveBytes: number): Promise<DomainEvent> {
    const { payload } = event.data as { readonly payload?: Json };
    if (payload === undefined || outsidePayloadIn(payload) !== null) return event;
    const text = JSON.stringify(payload);
    const bytes = Buffer.byteLength(text);
    if (bytes <= aboveBytes) return event;
    const place = { task, sha256: digestOf(text), day: dayOf(this.clock.now()) };
    await this.reached(this.store.put(place, text));
    this.figures.wrote(bytes);
    return { ...event, data: { ...event.data, payload: inPlaceOf({ ...place, bytes }) } };
  }

  private async reached<T>(answer: Promise<T>): Promise<T> {
    try {
      const given = await answer;
      this.isAway = false;
      return given;
    } catch (error) {
      if (!(error instanceof PayloadStoreUnavailable)) throw error;
      this.say(error);
      return this.refuse({ code: 'PAYLOAD_STORE_UNAVAILABLE' });
    }
  }

  /** Not to callers, because it names folders and hosts. */
  private say({ message }: PayloadStoreUnavailable): void {
    if (!this.isAway) this.logger.warn(`Expected the payload store to answer, but: ${message}`);
    this.isAway = true;
  }

  private refuse(rejection: Rejection): never {
    this.figures.failedBy(rejection.code);
    throw new Refused(rejection);
  }
}

/** The day of a payload that is stored now. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Whether the payload of an event is this one, also if it is stored outside the log. */
export function isStored(stored: Json | undefined, given: Json | undefined): boolean {
  const outside = outsidePayloadIn(stored);
  return outside !== null && given !== undefined && digestOf(JSON.stringify(given)) === outside.sha256;
}

/** Does the work on all, on some of them at the same time. Returns what it gave, in their order. */
export async function someAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return done;
}
