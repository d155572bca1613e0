/** The number of characters for the whole time. */
const WIDTH = 20;

/**
 * The tree as text: one line per function, indented below its caller, with its share of the whole time as a number and
 * as a bar.
 */
export function flameText(root, { leastShare = 0.01 } = {}) {
  const lines = [];
  const write = (frame, depth) => {
    for (const [label, child] of largestFirst(frame.children)) {
      const share = child.micros / root.micros;
      if (share < leastShare) return;
      lines.push(`${percent(share)} ${bar(share)} ${'  '.repeat(depth)}${label}`);
      write(child, depth + 1);
    }
  };
  write(root, 0);
  return lines.join('\n');
}

const largestFirst = (children) => [...children].toSorted(([, a], [, b]) => b.micros - a.micros);
const percent = (share) => `${(share * 100).toFixed(1)} %`.padStart(7);
const bar = (share) => '█'.repeat(Math.max(1, Math.round(share * WIDTH))).padEnd(WIDTH);
