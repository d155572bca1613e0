import { idsOf } from '../../scripts/acceptance-result.mjs';

/**
 * For a lane that proves each line once (`TEST_LINES=once`): leaves in the tree of a spec file the first test of each line that has none
 * before it, and of those that name no line all (`keepsOthers`) or none. The night runs the others. A file that names no line keeps its tests.
 */
export function leaveFirstOfEachLine(describeBlock, { keepsOthers = false } = {}) {
  return namesLines(describeBlock) ? firstOfEachLine(describeBlock, new Set(), keepsOthers) : describeBlock;
}

const namesLines = ({ children }) =>
  children.some((child) => (child.type === 'describeBlock' ? namesLines(child) : idsOf(child.name).length > 0));

function firstOfEachLine(describeBlock, proven, keepsOthers) {
  describeBlock.children = describeBlock.children.filter((child) => {
    if (child.type === 'describeBlock') return firstOfEachLine(child, proven, keepsOthers).children.length > 0;
    const ids = idsOf(child.name);
    if (ids.length === 0) return keepsOthers;
    const isFirst = ids.some((id) => !proven.has(id));
    for (const id of ids) proven.add(id);
    return isFirst;
  });
  return describeBlock;
}
