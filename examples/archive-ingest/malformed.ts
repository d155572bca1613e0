/** The file is not what its name says; the message tells where. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
