import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Builds the packages named as arguments once more, as CommonJS: node scripts/commonjs.mjs contracts client
// Node loads the ES modules also by `require`. Jest, and TypeScript for CommonJS, need these.
const root = new URL('..', import.meta.url);
const tsc = fileURLToPath(new URL('node_modules/typescript-7/bin/tsc', root));

for (const name of process.argv.slice(2)) {
  const folder = new URL(`packages/${name}/`, root);
  execFileSync(process.execPath, [tsc, '-p', fileURLToPath(new URL('tsconfig.commonjs.json', folder))], {
    stdio: 'inherit',
  });
  writeFileSync(new URL('dist/commonjs/package.json', folder), '{ "type": "commonjs" }\n');
}
