import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../access/api-keys.js';
import { holderOf } from '../access/holder.js';
import type { OpenStreams } from '../access/open-streams.js';
import type { EventPage, EventPages, Streamed } from '../operations/stream-format.js';
import { USUAL_TIMES } from './client-times.js';
import { endOf } from './ended.js';
import { whenOver } from './when-over.js';

/** Lets event streams in, and ends them with their API keys. */
export class StreamGate {
  constructor(
    private readonly keys: ApiKeys | null,
    private readonly streams: OpenStreams,
    private readonly times = USUAL_TIMES,
  ) {}

  get open(): number {
    return this.streams.inUse;
  }

  /** Returns a signal that aborts when the stream must end, and when its client leaves. Throws `TOO_MANY_STREAMS`. */
  admit(request: FastifyRequest, reply: FastifyReply): AbortSignal {
    const holder = holderOf(request);
    this.streams.enter(holder);
    reply.raw.setTimeout(this.times.stalledMs, () => reply.raw.destroy());
    whenOver(reply, () => this.streams.giveBack(holder, 1));
    return endOf(this.keys, request, reply);
  }

  /** Closes the connection of a client that does not take a page in time: pages take room that others wait for. */
  async *takenInTime<E extends Streamed>(pages: EventPages<E>, { raw }: FastifyReply): AsyncGenerator<EventPage<E>> {
    for await (const page of pages) {
      const slow = setTimeout(() => raw.destroy(), this.times.takenMs);
      try {
        yield page;
      } finally {
        clearTimeout(slow);
      }
    }
  }
}
