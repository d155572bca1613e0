/** A server does not do what it is asked to, which may pass. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly class = 'transient';
}
