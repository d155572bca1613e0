import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres/embedded-postgres.js';

// Keeps the embedded Postgres of the folder in its first argument running, and prints its address.

const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2]!, log: () => undefined });
console.log(url);
