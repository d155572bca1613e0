import { openPostgresStore } from '../../support/postgres-store.js';
import { eventStoreContract } from './event-store.contract.js';

describe('PostgresEventStore', () => {
  eventStoreContract({ name: 'Postgres' }, openPostgresStore);
});
