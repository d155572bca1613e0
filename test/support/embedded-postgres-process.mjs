import { register } from 'node:module';

// A process that keeps the embedded Postgres of the folder in its first argument running and prints its address.

register('./typescript-loader.mjs', import.meta.url);
const { startEmbeddedPostgres } = await import('../../src/infrastructure/embedded-postgres/embedded-postgres.ts');
const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2], log() {} });
console.log(url);
