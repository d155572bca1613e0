/** How far from it an interval may be, as a part of it. */
const MOST = 0.4;

/** About as long, but another for each name, so that what a page asks for by the clock does not come all at once. */
export function spread(ms: number, name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.codePointAt(0)!) % 1_000;
  return Math.round(ms * (1 - MOST + (2 * MOST * hash) / 1_000));
}
