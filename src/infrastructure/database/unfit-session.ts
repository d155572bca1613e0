/**
 * The connection does not keep a session of its own. The message names what a pooler did, and what is needed. Its code
 * is in the class of refused connections: commands may be sent again, as with any database that cannot be used now.
 */
export class UnfitSession extends Error {
  override readonly name = 'UnfitSession';
  readonly code = '08004';

  constructor(did: string, options?: ErrorOptions) {
    super(
      `Expected each connection to keep its session, but the pooler in front of Postgres ${did}; Waybill needs a direct or session-mode connection`,
      options,
    );
  }
}
