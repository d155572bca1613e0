import pg from 'pg';

/** An idle connection is probed after this time. The operating system's default is two hours. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * A connection that always has a listener for its loss. It may be lost at any moment, also between its creation and its
 * delivery to a caller, and without a listener the error would end the process. The next statement on it rejects
 * anyway.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
