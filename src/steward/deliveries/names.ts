import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { Mutex } from '../../application/kernel/mutex.js';

/** Of one question to one name server; each is asked twice. */
const ANSWER_MS = 2_000;
/** How long the other family may answer after the first has: RFC 8305 recommends a moment. */
const SECOND_FAMILY_MS = 100;
/** A name may wait this long for its turn to be looked up by the system. */
const TURN_MS = 10_000;

/**
 * Resolves names of receivers. The name server of a receiver may never answer. The system's resolver would then occupy one of
 * the four threads that all file access and look-ups of this process share, so names are asked of the name servers
 * directly. Only what those say that they do not know, such as a name in /etc/hosts, the system looks up, one at a time.
 */
export class Names {
  private readonly resolver = new Resolver({ timeout: ANSWER_MS, tries: 2 });
  private readonly turn = new Mutex();

  /** `servers`: the name servers to ask, such as `127.0.0.1:53`; those of the system if absent. */
  constructor(servers?: readonly string[]) {
    if (servers) this.resolver.setServers(servers);
  }

  /** At least one address. Throws if the name has none, or nobody answers. */
  async addressesOf(name: string): Promise<LookupAddress[]> {
    const four = as(4, this.resolver.resolve4(name));
    const six = as(6, this.resolver.resolve6(name));
    const first = await Promise.any([four, six]).catch(({ errors }: AggregateError) => errors as Error[]);
    if (isFound(first)) {
      const found = await Promise.all([four, six].map((family) => orNone(family)));
      return found.flat();
    }
    const silence = first.find((error) => (error as NodeJS.ErrnoException).code === 'ETIMEOUT');
    if (silence) throw silence;
    return this.bySystem(name, Date.now());
  }

  private bySystem(name: string, askedAt: number): Promise<LookupAddress[]> {
    return this.turn.run(async () => {
      if (Date.now() - askedAt > TURN_MS)
        throw new Error(`Expected to look '${name}' up, but other names take too long`);
      return lookup(name, { all: true });
    });
  }
}

const as = async (family: 4 | 6, addresses: Promise<string[]>): Promise<LookupAddress[]> =>
  (await addresses).map((address) => ({ address, family }));

const isFound = (answer: LookupAddress[] | Error[]): answer is LookupAddress[] => !(answer[0] instanceof Error);

const orNone = (addresses: Promise<LookupAddress[]>): Promise<LookupAddress[]> =>
  Promise.race([
    addresses.catch(() => []),
    new Promise<LookupAddress[]>((resolve) => setTimeout(() => resolve([]), SECOND_FAMILY_MS).unref()),
  ]);
