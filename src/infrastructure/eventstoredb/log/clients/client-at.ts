import { eventStoreClient } from './eventstore/eventstore-client.js';
import { kurrentClient } from './kurrent/kurrent-client.js';
import type { StoreClient } from './store-client.port.js';
import { withoutSecrets } from './without-secrets.js';

/** Creates the client for the scheme of `url`: `esdb:`, or `kurrentdb:` with its short names. */
export const clientAt = (url: string): StoreClient =>
  withoutSecrets(() => (url.startsWith('esdb') ? eventStoreClient(url) : kurrentClient(url)));
