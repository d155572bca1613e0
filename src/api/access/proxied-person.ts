import type { FastifyRequest } from 'fastify';
import { textOfHeader } from '../input/header-text.js';
import { InvalidInput } from '../input/invalid-input.js';
import { Networks } from './networks.js';

/** As an actor is recorded. */
const PERSON = /^\P{C}{1,200}$/u;

export const isPerson = (given: unknown): given is string => typeof given === 'string' && PERSON.test(given);

/**
 * Reads whom a trusted proxy has signed in. Only the address that the connection comes from counts: whatever else a request says,
 * anybody can say.
 */
export class ProxiedPerson {
  private readonly proxies: Networks;
  private readonly header: string | null;

  /** `header`: null if no proxy signs in anybody. */
  constructor(header: string | null, trustedProxies: readonly string[]) {
    this.header = header && header.toLowerCase();
    this.proxies = new Networks(trustedProxies);
  }

  /**
   * Null if nobody is signed in, or if the request does not come from a trusted proxy. Throws `InvalidInput` for a name that cannot be
   * recorded, and for two: then the proxy passes on what its client sent.
   */
  of({ raw }: Pick<FastifyRequest, 'raw'>): string | null {
    if (this.header === null || !this.proxies.have(raw.socket.remoteAddress ?? '')) return null;
    const given = namesIn(raw.rawHeaders, this.header);
    if (given.length === 0 || (given.length === 1 && given[0] === '')) return null;
    const [person] = given;
    if (given.length === 1 && isPerson(person)) return person;
    const got = given.length > 1 ? `${given.length} of them: a proxy must replace what its client sent` : 'other text';
    const detail = `Expected one name of up to 200 printable characters, but got ${got}`;
    throw new InvalidInput([{ pointer: `#/headers/${this.header}`, detail }]);
  }
}

/** The values of all headers of this name: Node would join them to one text. */
function namesIn(rawHeaders: readonly string[], header: string): string[] {
  const given: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === header) given.push(textOfHeader(rawHeaders[at + 1]!));
  return given;
}
