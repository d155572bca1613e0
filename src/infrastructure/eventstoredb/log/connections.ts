import { EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';
import { Outage } from '../../../application/kernel/outage.js';
import { clientAt } from './clients/client-at.js';
import type { StoreClient } from './clients/store-client.port.js';
import { unreachable } from './store-errors.js';

/**
 * The server runs 100 calls at once on a connection and lets further ones wait without limit. This leaves room for
 * short calls.
 */
export const CALLS_PER_CONNECTION = 80;

/**
 * Clients with equal options share a connection. To get its own, each client differs in this option by a millisecond.
 */
const KEEP_ALIVE_MS = 10_000;

/** A call that was not served, and when it began. `append`: one to a store that answers reads. */
interface FailedCall {
  readonly call: 'append' | 'any';
  readonly began: number;
}

/** A client to subscribe with. The caller releases it when the subscription ends. */
export interface SubscriptionSlot {
  readonly client: StoreClient;
  /**
   * Gives this client to no later subscription: its node may be cut off from the others, and a new client looks for the
   * leader.
   */
  abandon(): void;
  release(): void;
}

interface SubscriptionConnection {
  readonly keepAliveMs: number;
  client: StoreClient;
  used: number;
  isAbandoned: boolean;
}

/**
 * One connection for appends and reads, and as many others as the subscriptions need. A subscription is a call that
 * never ends, so on the first connection it would take up room that appends and reads need.
 */
export class Connections {
  readonly outage = new Outage({
    of: 'EventStoreDB',
    gone: 'The store is away, and is tried until it is back',
    back: 'The store is back after',
  });
  /** Of a store that answers reads. */
  readonly appendsOutage = new Outage({
    of: 'EventStoreDB',
    gone: 'The store answers reads but takes no appends, and is tried until it does',
    back: 'The store takes appends again after',
  });
  private readonly clients = new Set<StoreClient>();
  private current: StoreClient;
  private readonly forSubscriptions: SubscriptionConnection[] = [];

  constructor(private readonly url: string) {
    this.current = this.open(KEEP_ALIVE_MS);
  }

  /** The client for appends and reads. */
  get main(): StoreClient {
    return this.current;
  }

  /**
   * A client remembers the answer to its first query for the server's features, even if that was an error. Only a new
   * client recovers from that.
   */
  replaceMain(broken: StoreClient): void {
    if (this.current !== broken) return;
    this.clients.delete(broken);
    this.current = this.open(KEEP_ALIVE_MS);
  }

  /** An append that began at this time was answered. */
  appended(began: number): void {
    this.outage.reached(began);
    this.appendsOutage.reached(began);
  }

  /** To callers, a store that denies their account a right is unavailable. Operators can fix it. */
  denied(right: string, cause: unknown, refused: FailedCall): EventStoreUnavailable {
    const message = `Expected the account of EVENT_STORE_URL to have the right to ${right}, but the store denies it`;
    return this.missed(new EventStoreUnavailable(message, { cause }), refused);
  }

  unavailable(cause: unknown, refused: FailedCall): EventStoreUnavailable {
    return this.missed(unreachable(cause), refused);
  }

  private missed(error: EventStoreUnavailable, { call, began }: FailedCall): EventStoreUnavailable {
    (call === 'append' ? this.appendsOutage : this.outage).missed(error, began);
    return error;
  }

  subscriptionSlot(): SubscriptionSlot {
    const connection =
      this.forSubscriptions.find(({ used, isAbandoned }) => !isAbandoned && used < CALLS_PER_CONNECTION) ??
      this.addForSubscriptions();
    connection.used += 1;
    return {
      client: connection.client,
      abandon: () => void (connection.isAbandoned = true),
      release: () => this.release(connection),
    };
  }

  /** Ends every call. Safe to call twice. */
  async close(): Promise<void> {
    await Promise.all([...this.clients].map((client) => client.close()));
  }

  private addForSubscriptions(): SubscriptionConnection {
    const keepAliveMs = KEEP_ALIVE_MS + this.forSubscriptions.length + 1;
    const connection = { keepAliveMs, client: this.open(keepAliveMs), used: 0, isAbandoned: false };
    this.forSubscriptions.push(connection);
    return connection;
  }

  private release(connection: SubscriptionConnection): void {
    connection.used -= 1;
    if (!connection.isAbandoned || connection.used > 0) return;
    this.clients.delete(connection.client);
    connection.client = this.open(connection.keepAliveMs);
    connection.isAbandoned = false;
  }

  private open(keepAliveMs: number): StoreClient {
    const client = clientAt(withOption(this.url, 'keepAliveInterval', keepAliveMs));
    this.clients.add(client);
    return client;
  }
}

function withOption(url: string, name: string, value: number): string {
  const [base, given = ''] = url.split('?');
  const others = given.split('&').filter((option) => option !== '' && !option.startsWith(`${name}=`));
  return `${base}?${[...others, `${name}=${value}`].join('&')}`;
}
