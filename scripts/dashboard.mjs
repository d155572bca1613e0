import { build } from 'esbuild';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail, write } from './transpile.mjs';

const folder = fileURLToPath(new URL('../packages/dashboard', import.meta.url));
const client = fileURLToPath(new URL('../packages/client/src/waybill.ts', import.meta.url));
const dist = fileURLToPath(new URL('../packages/dashboard/dist', import.meta.url));

const bundled = {
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  tsconfig: `${folder}/tsconfig.json`,
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
};

/** What the bundle is made of. The time of a folder says that a file of it is gone. */
const INPUTS = ['../contracts/src', '../client/src', 'src', 'public'].map((name) => `${folder}/${name}`);
const SINGLE_INPUTS = [
  `${folder}/package.json`,
  `${folder}/tsconfig.json`,
  fileURLToPath(new URL('../node_modules/.package-lock.json', import.meta.url)),
  fileURLToPath(import.meta.url),
];

/**
 * Bundles the dashboard into `packages/dashboard/dist`, from which the service serves it, unless nothing has changed. Each page is loaded when it is
 * opened. Names have hashes, so that browsers keep the files for ever.
 */
export async function bundleDashboard() {
  if ((await changedAt(`${dist}/index.html`)) < (await newestInput())) await bundleAnew();
}

async function newestInput() {
  const inputs = await Promise.all(
    INPUTS.map(async (input) => [
      input,
      ...(await readdir(input, { recursive: true })).map((name) => `${input}/${name}`),
    ]),
  );
  return Math.max(...(await Promise.all([...inputs.flat(), ...SINGLE_INPUTS].map(changedAt))));
}

/** 0 if there is no such file. */
const changedAt = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function bundleAnew() {
  const { outputFiles, metafile } = await build({
    ...bundled,
    entryPoints: { app: `${folder}/src/app/main.tsx`, style: 'every-style' },
    outdir: dist,
    minify: true,
    metafile: true,
    entryNames: '[name]-[hash]',
    plugins: [everyStyle, noWorkers],
    write: false,
  });
  await mkdir(dist, { recursive: true });
  const named = (begin, end) =>
    Object.keys(metafile.outputs)
      .map((path) => basename(path))
      .find((name) => name.startsWith(`${begin}-`) && name.endsWith(end));
  const names = { app: named('app', '.js'), style: named('style', '.css') };
  const parts = partsOf(metafile.outputs, names.app);
  const shipped = outputFiles.filter(({ path }) => !path.endsWith('.css') || basename(path) === names.style);
  await Promise.all(shipped.map(({ path, contents }) => write(path, contents)));
  await copyPublic({ ...names, parts: parts.map(preload).join('\n    ') });
  await removeBesides([...shipped.map(({ path }) => basename(path)), ...(await readdir(`${folder}/public`))]);
}

/** After the new files are there, because a service may serve the folder meanwhile. What another process writes ends with its id. */
async function removeBesides(names) {
  const stale = (await readdir(dist)).filter((name) => !names.includes(name) && !/\.\d+$/.test(name));
  await Promise.all(stale.map((name) => rm(`${dist}/${name}`, { recursive: true, force: true })));
}

/** The files that a script cannot begin without. A browser that is told of them loads them beside it. */
function partsOf(outputs, script, found = new Set()) {
  const { imports } = Object.entries(outputs).find(([path]) => basename(path) === script)[1];
  for (const part of imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path))) {
    if (!found.has(part)) partsOf(outputs, part, found.add(part));
  }
  return [...found];
}

const preload = (part) => `<link rel="modulepreload" href="${part}" />`;

const KIT_STYLE = '<link rel="stylesheet" href="kit.css" />';

/**
 * Bundles the page of all components of `src/ui` in each of their states into a folder. It is no part of what is served: tests and people look at
 * it (`scripts/kit.mjs`).
 */
export async function bundleKit(outdir) {
  await build({
    ...bundled,
    entryPoints: { kit: `${folder}/kit/kit.tsx`, style: 'every-style' },
    outdir,
    plugins: [everyStyle],
  });
  const text = await readFile(`${folder}/public/index.html`, 'utf8');
  const named = text
    .replace('{app}', 'kit.js')
    .replace('{style}', 'style.css')
    .replace('{parts}', '')
    .replace('icon.svg', 'data:,')
    .replace('</title>', `</title>\n${KIT_STYLE}`);
  await write(`${outdir}/index.html`, Buffer.from(named));
}

/** All styles are one file: those of a page that is loaded later must be there before its first picture. */
const everyStyle = {
  name: 'every-style',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^every-style$/ }, ({ path }) => ({ path, namespace: 'every-style' }));
    onLoad({ filter: /.*/, namespace: 'every-style' }, async () => {
      const modules = (await readdir(`${folder}/src`, { recursive: true })).filter((name) =>
        name.endsWith('.module.css'),
      );
      const first = [
        '@fontsource-variable/inter/wght.css',
        '@fontsource-variable/jetbrains-mono/wght.css',
        'uplot/dist/uPlot.min.css',
        './ui/tokens.css',
        './ui/base.css',
      ];
      const contents = [...first, ...modules.sort().map((name) => `./${name}`)]
        .map((name) => `@import '${name}';`)
        .join('\n');
      return { contents, loader: 'css', resolveDir: `${folder}/src` };
    });
  },
};

/** A page runs no handlers. What the client has for programs that do is a quarter of its code, and would be loaded with every first page (D-14). */
const noWorkers = {
  name: 'no-workers',
  setup({ onResolve, onLoad }) {
    const filter = /\/(worker\/worker|functions\/(direct-runs|task-functions))\.js$/;
    onResolve({ filter }, ({ importer }) =>
      importer === client ? { path: 'no-workers', namespace: 'no-workers' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'no-workers' }, () => ({
      contents: 'export class DirectRuns {}\nexport class TaskFunctions {}\nexport class Worker {}',
    }));
  },
};

async function copyPublic(names) {
  for (const name of await readdir(`${folder}/public`)) {
    const text = await readFile(`${folder}/public/${name}`, 'utf8');
    await write(`${dist}/${name}`, Buffer.from(text.replace(/\{(app|style|parts)\}/g, (_, of) => names[of])));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundleDashboard().catch(fail);
