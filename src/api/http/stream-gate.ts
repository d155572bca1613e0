import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../access/api-keys.js';
import { OpenStreams, type StreamLimits } from '../access/open-streams.js';
import type { EventPage, EventPages } from '../operations/stream-format.js';
import { ApiError } from '../problems/api-error.js';
import { USUAL_TIMES } from './client-times.js';

/** Lets event streams in, and ends them with their API keys. */
export class StreamGate {
  private readonly streams: OpenStreams;

  constructor(
    private readonly keys: ApiKeys | null,
    limits: StreamLimits,
    private readonly times = USUAL_TIMES,
  ) {
    this.streams = new OpenStreams(limits);
  }

  get open(): number {
    return this.streams.count;
  }

  /** Returns a signal that aborts when the stream must end, and when its client leaves. Throws `TOO_MANY_STREAMS`. */
  admit(request: FastifyRequest, { raw }: FastifyReply): AbortSignal {
    const leave = this.streams.enter(request);
    const over = new AbortController();
    const unwatch = this.watch(request, () => over.abort(keyEnded()));
    const close = (): void => {
      leave();
      unwatch();
      over.abort();
    };
    raw.setTimeout(this.times.stalledMs, () => raw.destroy());
    if (raw.closed) close();
    else raw.once('close', close);
    return over.signal;
  }

  /** Closes the connection of a client that does not take a page in time: pages take room that others wait for. */
  async *takenInTime(pages: EventPages, { raw }: FastifyReply): AsyncGenerator<EventPage> {
    for await (const page of pages) {
      const slow = setTimeout(() => raw.destroy(), this.times.takenMs);
      try {
        yield page;
      } finally {
        clearTimeout(slow);
      }
    }
  }

  private watch({ principal }: FastifyRequest, end: () => void): () => void {
    return principal && this.keys ? this.keys.watch(principal, end) : () => undefined;
  }
}

const keyEnded = (): ApiError =>
  new ApiError('UNAUTHENTICATED', 'Expected an API key that stays valid, but it was revoked, changed, or has expired', {
    'www-authenticate': 'Bearer',
  });
