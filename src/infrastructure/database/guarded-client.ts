import pg from 'pg';

/** An idle connection is probed after this time. The operating system's default is two hours. */
export const KEEP_ALIVE_MS = 10_000;

/**
 * Settings of a session by which the server ends it within a minute after this machine was lost. Without them it would
 * keep the session, and its locks, for two hours. They have no effect on a socket of the same machine.
 */
export const SERVER_PROBES =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=40000';

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
