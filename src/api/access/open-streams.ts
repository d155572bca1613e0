import { FairRoom, type Lack, upTo } from '../../domain/kernel/fair-room.js';
import { ApiError } from '../problems/api-error.js';

/** The most event streams that may be open at once in a process. */
export interface StreamLimits {
  /** Of the API keys of one name; without API keys, of one address. */
  readonly streamsPerHolder: number;
  readonly streams: number;
}

export const USUAL_STREAMS: StreamLimits = { streamsPerHolder: 100, streams: 1_000 };

/** The most places of those who follow one task by tokens: a token that spreads must not take those of other tasks. */
const FOLLOWERS_OF_TASK = 20;

const RETRY_S = 10;

/** The places of open event streams. */
export class OpenStreams extends FairRoom {
  constructor(private readonly limits: StreamLimits) {
    super(limits.streams, upTo(limits.streamsPerHolder));
  }

  /** The places of whoever follows tasks by tokens, apart from those of API keys. */
  static ofFollowers({ streams }: StreamLimits): OpenStreams {
    return new OpenStreams({ streams, streamsPerHolder: FOLLOWERS_OF_TASK });
  }

  /** Throws `TOO_MANY_STREAMS` if there is no place. */
  enter(holder: string): void {
    const lack = this.take(holder, 1);
    if (lack) throw tooMany(holder, lack, this.limits);
  }
}

function tooMany(holder: string, lack: Lack, { streams, streamsPerHolder }: StreamLimits): ApiError {
  const limit =
    lack === 'room' ? `${streams} event streams of all clients` : `${streamsPerHolder} event streams of ${holder}`;
  const detail = `Expected at most ${limit} at once, but this would be one more: try again in ${RETRY_S} s`;
  return new ApiError('TOO_MANY_STREAMS', detail, { 'retry-after': String(RETRY_S) });
}
