import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Node >= 20.19 lets CommonJS require() an ES module; Jest's own loader only does so on Node >= 24.9.
// So tests run as CommonJS and every installed ESM package is compiled to CommonJS by swc (cached on disk).
const nodeModules = fileURLToPath(new URL('./node_modules/', import.meta.url));

/** The names of the packages below `directory`, nested ones included, that hold ES modules. */
function esmPackagesIn(directory, scope = '') {
  return foldersIn(directory).flatMap((name) => {
    const path = `${directory}${name}/`;
    if (name.startsWith('@') && !scope) return esmPackagesIn(path, `${name}/`);
    return [...(holdsEsModules(path) ? [scope + name] : []), ...esmPackagesIn(`${path}node_modules/`)];
  });
}

function foldersIn(directory) {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function holdsEsModules(path) {
  try {
    const manifest = JSON.parse(readFileSync(`${path}package.json`, 'utf8'));
    return manifest.type === 'module' || Boolean(manifest.module);
  } catch {
    return false;
  }
}

const esm = [...new Set(esmPackagesIn(nodeModules))].map((name) => name.replace(/[.+]/g, '\\$&')).join('|');

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/packages', '<rootDir>/examples'],
  testRegex: '\\.(e2e-)?spec\\.ts$',
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  moduleNameMapper: {
    '^@waybill/client$': '<rootDir>/packages/client/src/index.ts',
    '^@waybill/contracts$': '<rootDir>/packages/contracts/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
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
  transformIgnorePatterns: [`/node_modules/(?!(?:.+/node_modules/)?(?:${esm})/)`],
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/main.ts'],
  workerIdleMemoryLimit: '1GB',
  // Many specs wait for processes of their own; jest would leave one of two cores idle.
  maxWorkers: '100%',
  testTimeout: 60000,
};
