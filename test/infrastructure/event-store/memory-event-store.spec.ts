import { MemoryEventStore } from '../../support/memory-event-store/memory-event-store.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { eventStoreContract } from './event-store.contract.js';

describe('MemoryEventStore', () => {
  eventStoreContract({ name: 'memory' }, async () =>
    Promise.resolve({ store: new MemoryEventStore(new LocalWakeUps()), close: async () => Promise.resolve() }),
  );
});
