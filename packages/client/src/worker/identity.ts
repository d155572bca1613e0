/**
 * The host's name, which says where the worker runs. Looked up at run time, so that the client can be bundled for
 * browsers.
 */
export const serverName = (): string => process.getBuiltinModule('node:os').hostname();

/** Unique among the processes of all hosts. */
export const workerName = (): string => `${serverName()}-${process.pid}`;

/**
 * The version in the nearest package.json that has one: from the program's file upwards or, if another package runs the
 * program, from the working directory. Undefined if there is none.
 */
export function programBuild(): string | undefined {
  if (typeof process === 'undefined') return undefined;
  const path = process.getBuiltinModule('node:path');
  const [, program] = process.argv;
  const isOthers = program === undefined || program.split(path.sep).includes('node_modules');
  return versionAbove(isOthers ? process.cwd() : path.dirname(program));
}

function versionAbove(folder: string): string | undefined {
  const path = process.getBuiltinModule('node:path');
  for (let [at, last] = [folder, '']; at !== last; [at, last] = [path.dirname(at), at]) {
    const version = versionIn(at);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A file that cannot be read, or is no JSON, names no version. */
function versionIn(folder: string): string | undefined {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { readonly version?: unknown };
    return typeof version === 'string' && /^\P{C}{1,100}$/u.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
