/** The whole words with which all texts begin. */
export function sameBeginning([first = '', ...others]: readonly string[]): string {
  let length = others.length === 0 ? 0 : first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, first.lastIndexOf(' ', length - 1) + 1);
}
