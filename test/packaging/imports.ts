import { build } from 'esbuild';
import { isBuiltin } from 'node:module';

/** The packages that modules import, except Node's own. Knows nothing of the paths in our `tsconfig.json`. */
export async function importedBy(modules: readonly string[]): Promise<string[]> {
  const how = { bundle: true, write: false, metafile: true, platform: 'node', format: 'esm', tsconfigRaw: {} } as const;
  // One bundle of all: one for each of 1,300 modules takes 27 s of the processor.
  const contents = modules.map((path) => `import ${JSON.stringify(path)};`).join('\n');
  const stdin = { contents, resolveDir: '/' };
  const { metafile } = await build({ ...how, packages: 'external', ignoreAnnotations: true, stdin });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  const names = imports.map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)![0]);
  return [...new Set(names)].filter((name) => !isBuiltin(name));
}
