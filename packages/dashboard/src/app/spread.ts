/** How far from it an interval may be, as a part of it. */
const MOST = 0.4;

/** About as long, but another for each name, so that what a page asks for by the clock does not come all at once. */
export function spread(ms: number, name: string): number {
  // FNV-1a: names that differ by their last character alone are as far from each other as any.
  let hash = 2_166_136_261;
  for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
  return Math.round(ms * (1 - MOST + (2 * MOST * ((hash >>> 0) % 1_000)) / 1_000));
}
