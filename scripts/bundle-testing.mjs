import { build } from 'esbuild';
import { readFile, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { LEFT_OUT, ONE_TYPEORM } from './bundle.mjs';
import { transpile } from './transpile.mjs';

// Bundles the Waybill for tests into one file, because most runners load it again for each test file: it takes a third of the processor time of its
// 2,000 modules. Only what is packed has it (`prepack`), and its module comes back afterwards (`postpack`, with --remove): in a checkout the bundle
// would soon be older than the modules.

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const entry = `${dist}testing/index.js`;

/** The errors of the client are those that the test knows. The others are never loaded. */
const INSTALLED = ['@waybill/client', '@eventstore/db-client', '@kurrent/kurrentdb-client', '@opentelemetry/*'];

/** Nest would load them for what a test does not have: HTTP, sockets and microservices. */
const ABSENT = {
  name: 'absent',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${LEFT_OUT.join('|')})(/|$)`) }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error("Expected nobody to load '${path}' in a test");`,
    }));
  },
};

/** Modules find their SQL, and other files of the package, beside where they would be. */
const placesIn = (outfile) => ({
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(dist)) return undefined;
      const place = JSON.stringify(relative(dirname(outfile), path).replaceAll('\\', '/'));
      const code = await readFile(path, 'utf8');
      return { contents: code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
    }),
});

/** `outfile`: the path of the bundle, in a folder of the package. */
export const bundleTesting = (outfile = entry) =>
  build({
    entryPoints: [entry],
    outfile,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
    external: INSTALLED,
    plugins: [ABSENT, ONE_TYPEORM, placesIn(outfile)],
    // Packages in CommonJS ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
  });

async function remove() {
  await rm(entry, { force: true });
  await transpile();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await (process.argv.includes('--remove') ? remove() : bundleTesting());
