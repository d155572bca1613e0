/** A part of a build: a program of Node, and the parts that must be done before. */
export interface BuildNode {
  readonly name: string;
  readonly command: readonly string[];
  readonly after?: readonly string[];
}

const tsc = (project: string): string[] => ['node_modules/typescript-7/bin/tsc', '-p', project];

const jest = (...options: readonly string[]): string[] => [
  'node_modules/jest/bin/jest.js',
  'packages/dashboard/test/(differences|view-box|spans|drawing)',
  '--runInBand',
  ...options,
];

const script = (text: string): string[] => ['--input-type=module', '--eval', text];

const CHECK_INSTALL = `import { checkNode } from './bin/check-node.js'; import 'esbuild'; import 'typescript'; checkNode()`;

const BUNDLE = `import { build } from 'esbuild';
  const { warnings } = await build({ entryPoints: ['dist/index.js'], outfile: 'out/waybill.mjs', bundle: true,
    platform: 'node', format: 'esm', packages: 'external' });
  console.log('out/waybill.mjs,', warnings.length, 'warnings');`;

/** The build of this repository. */
export const BUILD: readonly BuildNode[] = [
  { name: 'install check', command: script(CHECK_INSTALL) },
  { name: 'contracts', command: tsc('packages/contracts/tsconfig.build.json'), after: ['install check'] },
  { name: 'client', command: tsc('packages/client/tsconfig.build.json'), after: ['contracts'] },
  { name: 'cli', command: tsc('packages/cli/tsconfig.build.json'), after: ['client'] },
  { name: 'dashboard types', command: tsc('packages/dashboard'), after: ['contracts'] },
  { name: 'dashboard', command: ['scripts/dashboard.mjs'], after: ['dashboard types'] },
  {
    name: 'lint',
    command: ['node_modules/oxlint/bin/oxlint', 'packages/client', 'packages/cli'],
    after: ['contracts'],
  },
  {
    name: 'format',
    command: [
      'node_modules/oxfmt/bin/oxfmt',
      '--check',
      '--ignore-path',
      '.gitignore',
      'packages/client',
      'packages/cli',
    ],
    after: ['install check'],
  },
  { name: 'unit tests', command: jest(), after: ['install check'] },
  { name: 'coverage', command: jest('--coverage'), after: ['unit tests'] },
  { name: 'coverage report', command: ['-p', '"see coverage/lcov-report"'], after: ['coverage'] },
  { name: 'service', command: ['scripts/transpile.mjs'], after: ['cli'] },
  {
    name: 'bundle',
    command: script(BUNDLE),
    after: ['service', 'dashboard', 'lint', 'format', 'unit tests'],
  },
];
