import pg from 'pg';

/** An idle connection is asked after for so long: by itself, a system waits for two hours. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * A connection of which every loss is heard. It may come at any moment, also between being made and being given to whoever will listen, and
 * one that nobody hears would end the process. The next statement on it rejects anyway.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
