import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';

const CACHE = new URL('../../node_modules/.cache/waybill-typescript/', import.meta.url);

const OPTIONS = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

// Jest runs its global set-up outside of its own module loader: these hooks let Node import our TypeScript there.
export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context);
  const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  return existsSync(source) ? { url: source.href, format: 'module', shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await readFile(new URL(url), 'utf8');
  return { format: 'module', source: await compiled(source), shortCircuit: true };
}

/** A process of ours loads some 250 modules, and the tests start dozens: compiling each only once saves a good part of each start. */
async function compiled(source) {
  const file = new URL(
    `${createHash('sha256')
      .update(JSON.stringify(OPTIONS) + source)
      .digest('hex')}.js`,
    CACHE,
  );
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) return known;
  const { code } = await transform(source, OPTIONS);
  await keep(file, code).catch(() => undefined); // where nothing can be written it is compiled again, which is only slower
  return code;
}

/** Several processes may write the same file: a rename shows each reader a whole one. */
async function keep(file, code) {
  const partial = new URL(`${file.href}.${process.pid}`);
  await mkdir(CACHE, { recursive: true });
  await writeFile(partial, code);
  await rename(partial, file);
}
