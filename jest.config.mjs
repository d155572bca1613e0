import { availableParallelism } from 'node:os';

/** As a regular expression. */
const root = import.meta.dirname.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages', '<rootDir>/examples'],
  testRegex: '\\.(e2e-)?spec\\.tsx?$',
  // `npm run test:browser` runs those that need Chromium, `npm run test:pooler` those that need PgBouncer, `npm run test:clients` those that need Python, `npm run test:nightly`
  // those that take minutes and rarely fail, and `npm run chaos` those that need root.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/pooler/',
    '<rootDir>/test/clients/',
    '\\.nightly\\.spec\\.ts$',
    '<rootDir>/test/chaos/cells/',
    // Where `scripts/test-on-postgres.sh` says which programs of Postgres dump and restore.
    ...(process.env.PG_DUMP ? [] : ['<rootDir>/test/backup/']),
  ],
  testSequencer: '<rootDir>/test/support/long-first.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  moduleNameMapper: {
    '^@waybill/cli/terminal$': '<rootDir>/packages/cli/src/terminal/index.ts',
    '^@waybill/cli$': '<rootDir>/packages/cli/src/index.ts',
    '^@waybill/client/(evidence-page|follow|react)$': '<rootDir>/packages/client/src/$1.ts',
    '^@waybill/client/words$': '<rootDir>/packages/client/src/words/index.ts',
    '^@waybill/client$': '<rootDir>/packages/client/src/index.ts',
    '^@waybill/mcp$': '<rootDir>/packages/mcp/src/index.ts',
    '^@waybill/otel$': '<rootDir>/packages/otel/src/index.ts',
    '^@waybill/testing$': '<rootDir>/src/testing/index.ts',
    '^@waybill/contracts$': '<rootDir>/packages/contracts/src/index.ts',
    '\\.module\\.css$': '<rootDir>/test/support/css-names.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '/node_modules/.+\\.[cm]?js$': '<rootDir>/test/support/loaded-once.cjs',
    [`^${root}/(packages/(contracts|client|otel|mcp|cli)/)?src/.+\\.ts$`]: '<rootDir>/test/support/loaded-once.cjs',
    '^.+\\.tsx$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'react' } },
        },
      },
    ],
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
  // Empty, because Jest would otherwise load installed packages itself.
  transformIgnorePatterns: [],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/main.ts'],
  workerIdleMemoryLimit: '1GB',
  // A worker that is done exits by itself (`environment.mjs`). On a busy machine, freeing its heap takes more than Jest's half a second.
  workerGracefulExitTimeout: 30_000,
  // Specs wait for their own processes and for leases to expire: a worker needs less than half a core.
  maxWorkers: availableParallelism() + 2,
  // Longer than any wait within a test, so that the wait can report what did not happen.
  testTimeout: 300000,
};
