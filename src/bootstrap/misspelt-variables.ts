/** Those of the command line, which may run in the same environment. */
const OF_CLIENTS = ['WAYBILL_URL', 'WAYBILL_ACTOR', 'WAYBILL_API_KEY'];

/** A setting that is missed by more letters is probably a variable of somebody else's, such as of Kubernetes. */
const MOST_WRONG_LETTERS = 2;

/**
 * Names in the environment that were meant to be a setting, with that setting. Without this, the default would apply
 * unseen: a service with WAYBILL_APIKEYS would ask for no API key.
 */
export function misspeltVariables(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): readonly (readonly [name: string, setting: string])[] {
  const known = new Set([...settings, ...OF_CLIENTS]);
  return Object.keys(env)
    .filter((name) => env[name] !== '' && name.startsWith('WAYBILL_') && !known.has(name))
    .flatMap((name) => {
      const meant = settings.find((setting) => wrongLetters(name, setting) <= MOST_WRONG_LETTERS);
      return meant === undefined ? [] : [[name, meant] as const];
    });
}

/** How many letters are to be added, left out or replaced; underscores do not count. */
function wrongLetters(name: string, setting: string): number {
  const [given, meant] = [name, setting].map((text) => text.replaceAll('_', '')) as [string, string];
  let row = Array.from({ length: meant.length + 1 }, (_, at) => at);
  for (const letter of given) row = nextRow(row, letter, meant);
  return row.at(-1)!;
}

/** The next row of the Levenshtein distance, for one more letter of the given name. */
function nextRow(row: readonly number[], letter: string, meant: string): number[] {
  const next = [row[0]! + 1];
  for (let at = 1; at < row.length; at++) {
    const replaced = row[at - 1]! + (letter === meant[at - 1] ? 0 : 1);
    next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
  }
  return next;
}
