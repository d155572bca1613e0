import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROGRAM = pathToFileURL(join(__dirname, '../scripts/code-cache.mjs')).href;

/** Whether a process that runs the script leaves the code that V8 has made of it. */
function leavesCode(script: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-code-'));
  try {
    const files = { script: join(folder, 'script.cjs'), cache: join(folder, 'cache') };
    writeFileSync(files.script, script);
    const program = join(folder, 'program.mjs');
    writeFileSync(
      program,
      `import { runCached } from '${PROGRAM}';\nawait runCached(${JSON.stringify(files)}, import.meta);\n`,
    );
    spawnSync(process.execPath, [program]);
    return existsSync(files.cache);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the code that V8 has made of a program of the tests', () => {
  it('is left by one that ends after its start', () => {
    expect(leavesCode('exports.ended = Promise.resolve();')).toBe(true);
  });

  it('is not left by one that ends within its start, which has not run most of it', () => {
    expect(leavesCode('exports.ended = new Promise(() => setTimeout(() => process.exit(1), 1));')).toBe(false);
  });
});
