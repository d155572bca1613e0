import type { FastifyRequest } from 'fastify';
import { ApiError } from '../problems/api-error.js';

/** The most event streams that may be open at once in a process. */
export interface StreamLimits {
  /** Of the API keys of one name; without API keys, of one address. */
  readonly streamsPerHolder: number;
  readonly streams: number;
}

export const USUAL_STREAMS: StreamLimits = { streamsPerHolder: 100, streams: 1_000 };

const RETRY_S = 10;

/** Counts the open event streams. */
export class OpenStreams {
  private readonly byHolder = new Map<string, number>();
  private open = 0;

  constructor(private readonly limits: StreamLimits) {}

  get count(): number {
    return this.open;
  }

  /** Takes a place until the returned function is called. Throws `TOO_MANY_STREAMS` if there is none. */
  enter({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): () => void {
    const holder = principal ? `API key '${principal.name}'` : `address ${ip}`;
    const held = this.byHolder.get(holder) ?? 0;
    const { streams, streamsPerHolder } = this.limits;
    if (held >= streamsPerHolder) throw tooMany(`at most ${streamsPerHolder} event streams of ${holder}`);
    if (this.open >= streams) throw tooMany(`at most ${streams} event streams of all clients`);
    this.open += 1;
    this.byHolder.set(holder, held + 1);
    let isLeft = false;
    return () => {
      if (!isLeft) this.leave(holder);
      isLeft = true;
    };
  }

  private leave(holder: string): void {
    this.open -= 1;
    const held = this.byHolder.get(holder)! - 1;
    if (held > 0) this.byHolder.set(holder, held);
    else this.byHolder.delete(holder);
  }
}

const tooMany = (what: string): ApiError =>
  new ApiError('TOO_MANY_STREAMS', `Expected ${what} at once, but this would be one more: try again in ${RETRY_S} s`, {
    'retry-after': String(RETRY_S),
  });
