import { MissingRight, type StoreIdentity, storeIdentity } from '../infrastructure/eventstoredb/log/store-identity.js';
import { isUnavailable } from '../infrastructure/eventstoredb/log/store-errors.js';
import { pause } from '../infrastructure/projection-engine/backoff.js';
import { masked } from '../infrastructure/telemetry/masked.js';
import { StartupError } from './startup-error.js';
import { untried } from './tried-versions.js';

/** Receive messages for people. */
export interface Tell {
  readonly log: (line: string) => void;
  readonly warn?: (line: string) => void;
}

export { holdsEvents } from '../infrastructure/eventstoredb/log/store-identity.js';

/** A connection that is refused is reported at once; a server that is starting is given this long. */
const ANSWER_MS = 2_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * The identity of the store at `url`, whose version it logs. Throws `StartupError` if the store is missing, does not answer in time, or
 * refuses this account.
 */
export async function reach(url: string, prefix: string, { log, warn = log }: Tell): Promise<StoreIdentity> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const identity = await storeIdentity(url, prefix, ANSWER_MS);
      tellVersion(url, identity.version, { log, warn });
      return identity;
    } catch (error) {
      const said = await whatItSays(url, prefix, error as Error);
      if (!isStarting(said) || performance.now() > until) throw storeError(url, said);
      log(`The event store at '${masked(url)}' is not ready yet (${said.message}); trying again`);
      await pause(PAUSE_MS);
    }
  }
}

function tellVersion(url: string, version: string, { log, warn }: Required<Tell>): void {
  log(`The event store at '${masked(url)}' is of version ${version}`);
  const warning = untried(version);
  if (warning !== null) warn(warning);
}

/** The client does not report what it found at a cluster's nodes, so this asks the first node alone. */
async function whatItSays(url: string, prefix: string, error: Error): Promise<Error> {
  if (!error.message.startsWith('Failed to discover')) return error;
  try {
    await storeIdentity(url.replace(/^(\w+)\+discover:/, '$1:').replace(/,[^/?]*/, ''), prefix, ANSWER_MS);
    return new Error('its nodes have no leader', { cause: error });
  } catch (ofTheFirst) {
    return ofTheFirst as Error;
  }
}

/** The server is there but cannot serve yet. */
const isStarting = (error: Error): boolean => /not ready|no leader|busy|not leader/i.test(error.message);

function storeError(url: string, error: Error): StartupError {
  const [reason, way = USABLE] = error instanceof MissingRight ? whyDenied(url, error) : whyAway(url, error);
  return new StartupError(`Expected to use the event store at '${masked(url)}', but ${reason}; ${way}.`, {
    cause: error,
  });
}

/** What is wrong, and what to do about it. */
type Reason = readonly [reason: string, way?: string];

const USABLE = 'set EVENT_STORE_URL to an EventStoreDB that this process may use';
const RIGHTS =
  "give it that right as 'docs/how-to/run-on-eventstoredb.md#rights' says, or name another one in EVENT_STORE_URL";
const TRUST =
  "name the certificate of who signed it with 'tlsCAFile=<file>' in EVENT_STORE_URL, or with NODE_EXTRA_CA_CERTS";

function whyDenied(url: string, { right }: MissingRight): Reason {
  const account = /^[^/]*\/\/([^:/@]*)(:[^/]*)?@/.exec(url)?.[1];
  if (account === undefined)
    return [
      'it asks for an account',
      `name one in EVENT_STORE_URL, as '${url.slice(0, url.indexOf(':'))}://name:password@host:2113'`,
    ];
  if (right === null) return [`it knows no account '${account}' with this password`];
  return [`its account '${account}' may not ${right}`, RIGHTS];
}

function whyAway(url: string, error: Error): Reason {
  const { message } = error;
  const last = /Last error: (?:Error: )?(.*?)\.? Resolution note/s.exec(message)?.[1] ?? message;
  if (/certificate/i.test(last) && isUnavailable(error)) return [`its certificate is not trusted (${last})`, TRUST];
  if (/wrong version number|EPROTO/.test(last))
    return ['it does not speak TLS', "add 'tls=false' to EVENT_STORE_URL where that is as it should be"];
  if (/Failed to connect/.test(last) && /[?&]tls=false/.test(url))
    return ['it breaks off every connection without TLS', "leave 'tls=false' out of EVENT_STORE_URL"];
  if (/No connection established|ECONNREFUSED|ENOTFOUND|Name resolution/i.test(message))
    return ['nothing answers there'];
  return isUnavailable(error) && !isStarting(error) ? ['it does not answer in time'] : [`it says: ${message}`];
}
