import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import { hashing } from '../../../src/infrastructure/notary/node-signing.js';
import { type History, type Violation, violation } from './history.js';

/** I25: each seal has the root of so many leaves as the log begins with. */
export function* sealViolations({ sealed }: History): Generator<Violation> {
  if (!sealed) return;
  const roots = rootsOf(sealed.leaves);
  for (const { size, root } of sealed.seals) {
    const stored = roots[size];
    if (stored === root) continue;
    const says = `Expected the seal of ${size} leaves to have the root ${stored ?? 'of a log that is so large'}`;
    yield violation('I25', `${says}, but it has ${root}`);
  }
}

/** Of the first leaves, by their number. In hexadecimal digits. */
function rootsOf(leaves: readonly string[]): readonly string[] {
  const range = new CompactRange(hashing);
  const root = (): string => Buffer.from(range.root()).toString('hex');
  return [
    root(),
    ...leaves.map((leaf) => {
      range.add(hashing.leaf(Buffer.from(leaf)));
      return root();
    }),
  ];
}
