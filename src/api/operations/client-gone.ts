/** The client left before its answer was written. */
export class ClientGone extends Error {
  constructor() {
    super('Expected the client to wait for its answer, but it left');
  }
}
