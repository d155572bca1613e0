import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { isStopping } from '../problems/api-error.js';

/** Ends what waits or follows in this process when the service stops: it never ends by itself, and whoever waits goes on with another process. */
@Injectable()
export class Stopping implements BeforeApplicationShutdown {
  private readonly stopped = new AbortController();

  beforeApplicationShutdown(): void {
    this.stopped.abort(isStopping());
  }

  /** Aborts with the signal of a call, or when the service stops. */
  or(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.stopped.signal]);
  }
}
