// Checks the import rules (docs/architecture.md). test/architecture/imports.spec.ts runs them with `npm test`.
const { builtinModules } = require('node:module');

const layer = (name) => `^src/${name}/`;
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

const LAYERS = '^src/(domain|application|infrastructure|projections|api)/';
const COMPOSITION = '^src/((bootstrap|embedded|maintenance|testing)/|(main|index)\\.ts$)';
const MAY_COMMAND = '^src/infrastructure/(outbox|reactions|sweeper)/';
const STORAGE = npm('pg', 'typeorm', '@nestjs/typeorm', '@eventstore');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'No framework, no Node built-in, no npm package, no other layer, not even a type.',
      severity: 'error',
      from: { path: layer('domain') },
      to: { pathNot: layer('domain') },
    },
    {
      name: 'application-knows-domain-only',
      comment: 'Use cases reach the world through ports.',
      severity: 'error',
      from: { path: layer('application') },
      to: { path: [layer('infrastructure'), layer('projections'), layer('api'), '^packages/', STORAGE] },
    },
    {
      name: 'application-uses-few-packages',
      comment: 'What a use case may use; anything else belongs behind a port.',
      severity: 'error',
      from: { path: layer('application') },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
        pathNot: npm(
          '@nestjs/common',
          '@nestjs/cqrs',
          '@nestjs/event-emitter',
          'uuidv7',
          'dataloader',
          'lru-cache',
          'croner',
          'ajv',
          'ajv-formats',
          're2js',
        ),
      },
    },
    {
      name: 'projections-do-not-decide',
      comment:
        'They see what the domain recorded and where, what is searched for, and formats of seals, never its states, commands or decisions.',
      severity: 'error',
      from: { path: layer('projections') },
      to: {
        path: layer('domain'),
        pathNot: '(\\.(events|policy|stream)\\.ts$|^src/domain/(events\\.ts$|(kernel|search|merkle|seals)/))',
      },
    },
    {
      name: 'projections-know-no-other-layer',
      severity: 'error',
      from: { path: layer('projections') },
      to: { path: [layer('application'), layer('infrastructure'), layer('api'), '^packages/'] },
    },
    {
      name: 'projections-stand-alone',
      comment: 'One folder answers one question; what they share is in the kernel.',
      severity: 'error',
      from: { path: '^src/projections/([^/]+)/' },
      to: { path: '^src/projections/[^/]+/', pathNot: '^src/projections/($1|kernel)/' },
    },
    {
      name: 'infrastructure-sees-ports',
      comment: 'Adapters implement ports; only reactions, the sweeper and the relay of the outbox send commands.',
      severity: 'error',
      from: { path: layer('infrastructure'), pathNot: MAY_COMMAND },
      to: { path: layer('application'), pathNot: '(\\.port\\.ts$|^src/application/kernel/)' },
    },
    {
      name: 'infrastructure-does-not-command',
      comment: 'Only reactions, the sweeper and the relay of the outbox send commands.',
      severity: 'error',
      from: { path: layer('infrastructure'), pathNot: MAY_COMMAND },
      to: { path: npm('@nestjs/cqrs') },
    },
    {
      name: 'infrastructure-does-not-know-the-api',
      severity: 'error',
      from: { path: layer('infrastructure') },
      to: { path: [layer('api'), '^packages/'] },
    },
    {
      name: 'api-does-not-persist',
      comment: 'Controllers talk to use cases and queries.',
      severity: 'error',
      from: { path: layer('api') },
      to: { path: [layer('infrastructure'), STORAGE] },
    },
    {
      name: 'api-does-not-decide',
      comment: 'Of the domain the API sees the refusals, to answer each of them, and the types of its data.',
      severity: 'error',
      from: { path: layer('api') },
      to: { path: '\\.(decider|state|commands|stream)\\.ts$' },
    },
    {
      name: 'steward-works-like-a-worker',
      comment:
        'It has its tasks from the client in the process, and does what they say by use cases, questions and ports. Of the API it sees the operations.',
      severity: 'error',
      from: { path: layer('steward') },
      to: {
        path: [
          layer('infrastructure'),
          '^src/api/(?!operations/)',
          '^src/projections/(?!.+\\.(queries|query)\\.ts$)',
          '^src/domain/.+\\.(decider|state|commands)\\.ts$',
          COMPOSITION,
          STORAGE,
        ],
      },
    },
    {
      name: 'in-process-is-a-transport',
      comment: 'It carries calls of the client to the operations of the API, and knows nothing of what they do.',
      severity: 'error',
      from: { path: layer('in-process') },
      to: {
        path: '^src/',
        pathNot: [layer('in-process'), '^src/api/(operations|problems)/'],
      },
    },
    {
      name: 'one-composition-root',
      comment: 'Only these folders import every layer; no layer imports them, or what stands on the API, back.',
      severity: 'error',
      from: { path: LAYERS },
      to: { path: [COMPOSITION, layer('steward'), layer('in-process')] },
    },
    {
      name: 'start-fails-early',
      comment: 'Nest and TypeORM take a second to load: a database that does not answer is told before.',
      severity: 'error',
      from: { path: '^src/(main|bootstrap/(config|database|event-store|server|service|startup-error))\\.ts$' },
      to: {
        dynamic: false,
        dependencyTypesNot: ['type-only'],
        path: [npm('@nestjs', 'typeorm'), '^src/bootstrap/(app|app\\.module)\\.ts$', '/database/data-source\\.ts$'],
      },
    },
    {
      name: 'clients-see-contracts',
      comment:
        'What runs in another process knows the API only. The Waybill for tests is a name for a part of the service.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/testing/' },
      to: { path: '^(src|test|examples)/' },
    },
    {
      name: 'contracts-depend-on-nothing',
      severity: 'error',
      from: { path: '^packages/contracts/src/' },
      to: { pathNot: '^packages/contracts/src/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'A folder is a subsystem: two that need each other are one, or lack a third.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'eventstoredb-is-removable',
      comment: 'The whole mode is one folder: only the composition knows that there is one.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(infrastructure/eventstoredb|bootstrap|maintenance)/' },
      to: { path: '^src/infrastructure/eventstoredb/' },
    },
    {
      name: 'not-to-test',
      comment: 'Product code never imports test code, nor the benches and what they install.',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src|examples)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '(^(test|bench)/|\\.spec\\.ts$)' },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'A rule about a module that is not found checks nothing.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: `^(node:)?(${builtinModules.join('|')})$` },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // No rule needs dependents and reachability, which take a tenth of the time.
    skipAnalysisNotInRules: true,
    doNotFollow: { path: 'node_modules' },
    // Excludes only our own output: most npm packages resolve into a dist folder, and an excluded module breaks no
    // rule.
    exclude: { path: ['^(dist|coverage|examples/dist|test/dist)/', '^packages/[^/]+/dist/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
