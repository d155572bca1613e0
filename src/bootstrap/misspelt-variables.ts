import { lettersBetween } from '@waybill/client/words';

/** Those of the command line, which may run in the same environment. */
const OF_CLIENTS = ['WAYBILL_URL', 'WAYBILL_ACTOR', 'WAYBILL_AGENT', 'WAYBILL_API_KEY'];

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

/** Underscores do not count. */
const wrongLetters = (name: string, setting: string): number =>
  lettersBetween(name.replaceAll('_', ''), setting.replaceAll('_', ''));
