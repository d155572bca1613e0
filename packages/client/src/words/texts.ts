// Texts as they fit.

/** Lines of `width` characters at most. Breaks at blanks, and within a word only where it is longer than a line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const blank = rest.lastIndexOf(' ', width);
    const end = blank > 0 ? blank : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** One line of `width` characters at most. */
export function shortened(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Without what steers a terminal: texts come from whoever handed a task in, and from what its handler met. */
export const harmless = (text: string): string => text.replaceAll(/[^\P{Cc}\n]/gu, '�');
