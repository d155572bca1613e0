import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives `work` a folder with the compiled revision, which uses the packages of this checkout, and deletes it then. Takes
 * a folder that is compiled already as it is.
 */
export async function withRevision(revision, work) {
  if (existsSync(join(revision, 'dist'))) return work(revision);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-revision-'));
  try {
    execFileSync('tar', ['x', '-C', folder], {
      input: execFileSync('git', ['archive', revision], { maxBuffer: 1 << 30 }),
    });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['scripts/transpile.mjs'], { cwd: folder, stdio: 'ignore' });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
