import { openStore } from '../../support/eventstoredb/open-store.js';
import { eventStoreContract } from '../event-store/event-store.contract.js';

const url = process.env.EVENT_STORE_URL;

describe('EventStoreDbEventStore on the fixture', () => {
  eventStoreContract({ name: 'EventStoreDB on the fixture' }, openStore);
});

if (url) {
  describe('EventStoreDbEventStore on the server of EVENT_STORE_URL', () => {
    eventStoreContract({ name: 'EventStoreDB of EVENT_STORE_URL' }, () => openStore({ url }));
  });
} else {
  process.stderr.write('Event store contract: EventStoreDB of EVENT_STORE_URL, not run, because it is not set\n');
}
