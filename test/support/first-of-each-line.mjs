import { idsOf } from '../../scripts/acceptance-result.mjs';

/**
 * For a lane that proves each line once (`TEST_LINES=once`): leaves in the tree of a spec file of `test/acceptance` the first
 * test of each line that has none before it, and nothing else. Another lane runs the others. A file that names no line keeps its tests.
 */
export function leaveFirstOfEachLine(describeBlock) {
  return namesLines(describeBlock) ? firstOfEachLine(describeBlock, new Set()) : describeBlock;
}

const namesLines = ({ children }) =>
  children.some((child) => (child.type === 'describeBlock' ? namesLines(child) : idsOf(child.name).length > 0));

function firstOfEachLine(describeBlock, proven) {
  describeBlock.children = describeBlock.children.filter((child) => {
    if (child.type === 'describeBlock') return firstOfEachLine(child, proven).children.length > 0;
    const ids = idsOf(child.name).filter((id) => !proven.has(id));
    for (const id of ids) proven.add(id);
    return ids.length > 0;
  });
  return describeBlock;
}
