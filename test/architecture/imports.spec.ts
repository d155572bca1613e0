import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sizeOf } from '../support/sizes.js';

const root = resolve(__dirname, '../..');
const config = join(root, '.dependency-cruiser.cjs');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const rules = (createRequire(__filename)(config) as { forbidden: { name: string }[] }).forbidden.map(
  ({ name }) => name,
);

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

// Uses the command line instead of cruise(), because the package can only be imported as an ES module, which Jest
// cannot do here.
async function cruise(folder: string, ...parts: string[]): Promise<Cruise['summary']> {
  const args = [cruiser, '--config', config, '--output-type', 'json', ...parts];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 28 });
  return (JSON.parse(stdout) as Cruise).summary;
}

/** Of tests, the rules ask only that they import what there is, as the compiler does, and no circles: they are a third of all modules, and last. */
const PARTS = ['src', 'packages', 'examples', 'test'];
const LOOKED_AT = PARTS.slice(0, sizeOf(PARTS.length, 3));

/** For each rule, a file that breaks it, and the files that this one imports. */
const VIOLATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'domain-is-pure': { 'src/domain/a.ts': `import type { Hash } from 'node:crypto';\nexport type A = Hash;` },
  'application-knows-domain-only': { 'src/application/a.ts': `import '../infrastructure/empty.js';` },
  'application-uses-few-packages': { 'src/application/b.ts': `import 'rxjs';` },
  'projections-do-not-decide': {
    'src/projections/a/a.ts': `import type { S } from '../../domain/task.state.js';\nexport type A = S;`,
  },
  'projections-know-no-other-layer': { 'src/projections/a/b.ts': `import '../../api/empty.js';` },
  'projections-stand-alone': { 'src/projections/a/c.ts': `import '../b/empty.js';` },
  'infrastructure-sees-ports': { 'src/infrastructure/a.ts': `import '../application/task/empty.js';` },
  'infrastructure-does-not-command': { 'src/infrastructure/b.ts': `import '@nestjs/cqrs';` },
  'infrastructure-does-not-know-the-api': { 'src/infrastructure/c.ts': `import '../api/empty.js';` },
  'api-does-not-persist': { 'src/api/a.ts': `import 'pg';` },
  'api-does-not-decide': { 'src/api/b.ts': `import '../domain/task.decider.js';` },
  'steward-works-like-a-worker': { 'src/steward/a.ts': `import '../infrastructure/empty.js';` },
  'in-process-is-a-transport': { 'src/in-process/a.ts': `import '../application/task/empty.js';` },
  'one-composition-root': { 'src/api/c.ts': `import '../main.js';` },
  'start-fails-early': { 'src/bootstrap/service.ts': `import '@nestjs/core';` },
  'clients-see-contracts': { 'packages/client/src/a.ts': `import '../../../src/main.js';` },
  'contracts-depend-on-nothing': { 'packages/contracts/src/a.ts': `import 'node:fs';` },
  'no-circular': { 'src/one.ts': `import './two.js';`, 'src/two.ts': `import './one.js';` },
  'no-circular-folders': {
    'src/three/a.ts': `import '../four/a.js';`,
    'src/three/b.ts': '',
    'src/four/a.ts': '',
    'src/four/b.ts': `import '../three/b.js';`,
  },
  'eventstoredb-is-removable': { 'src/infrastructure/d.ts': `import './eventstoredb/empty.js';` },
  'not-to-test': { 'src/a.ts': `import '../test/empty.js';` },
  'not-to-unresolvable': { 'src/b.ts': `import './nowhere.js';` },
};

const IMPORTED: Readonly<Record<string, string>> = {
  'src/domain/task.state.ts': 'export type S = 1;',
  'src/domain/task.decider.ts': '',
  'src/application/task/empty.ts': '',
  'src/infrastructure/empty.ts': '',
  'src/infrastructure/eventstoredb/empty.ts': '',
  'src/projections/b/empty.ts': '',
  'src/api/empty.ts': '',
  'src/main.ts': '',
  'test/empty.ts': '',
};

describe('imports', () => {
  it('keep the rules in the whole repository', async () => {
    const { violations, totalCruised } = await cruise(root, ...LOOKED_AT.filter(isThere));
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    // A check that looked at nothing would pass too. That happened, with a compiler that the tool did not support.
    expect(totalCruised).toBeGreaterThan(30);
  });

  describe('that break a rule', () => {
    // Inside the repository, so that npm packages resolve.
    const fixture = join(root, '.cache', `imports-${process.pid}`);

    beforeAll(async () => {
      await copyTo(fixture, 'tsconfig.json');
      for (const files of [IMPORTED, ...Object.values(VIOLATIONS)]) await write(fixture, files);
    });
    afterAll(() => rm(fixture, { recursive: true, force: true }));

    it('are found, each by its own rule', async () => {
      const { violations } = await cruise(fixture, 'src', 'packages');
      const broken = new Set(violations.map(({ rule, from }) => `${rule.name}: ${from}`));
      // A rule on folders reports the folder.
      const isBroken = (rule: string, file: string): boolean =>
        broken.has(`${rule}: ${file}`) || broken.has(`${rule}: ${dirname(file)}`);
      const planted = Object.entries(VIOLATIONS).map(([rule, files]) => [rule, Object.keys(files)[0]!] as const);
      expect(planted.filter(([rule, file]) => !isBroken(rule, file))).toEqual([]);
    });

    it('are planted for every rule', () => {
      expect(Object.keys(VIOLATIONS).sort()).toEqual([...rules].sort());
    });
  });
});

const isThere = (part: string) => existsSync(join(root, part));

async function copyTo(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(root, file), join(folder, file));
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
