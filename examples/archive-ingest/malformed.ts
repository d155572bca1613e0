/** The content of the file does not match its name. The message says where. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}
