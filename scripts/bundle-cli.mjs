import { build } from 'esbuild';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Bundles the command line into one file, which starts with half of the processor time of its 250 modules. Only what is packed has it
// (`prepack`), and loses it afterwards (`postpack`, with --remove): in a checkout it would soon be older than the modules.

const dist = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url));
const bundle = `${dist}bundle.js`;

if (process.argv.includes('--remove')) rmSync(bundle, { force: true });
else if (existsSync(`${dist}index.js`))
  await build({
    entryPoints: [`${dist}index.js`],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
    // An optional peer, with many modules.
    external: ['@waybill/mcp'],
    // Packages in CommonJS ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });
