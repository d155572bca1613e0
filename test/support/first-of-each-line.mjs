import { idsOf } from '../../scripts/acceptance-result.mjs';

/**
 * For a lane that proves each line once (`TEST_LINES=once`): leaves in the tree of a spec file the first test of each line that has none
 * before it, and none of those that name no line. The night runs the others. A file that names no line keeps its tests.
 */
export const leaveFirstOfEachLine = (describeBlock) =>
  namesLines(describeBlock) ? firstOfEachLine(describeBlock, new Set()) : describeBlock;

const namesLines = ({ children }) =>
  children.some((child) => (child.type === 'describeBlock' ? namesLines(child) : idsOf(child.name).length > 0));

function firstOfEachLine(describeBlock, proven) {
  describeBlock.children = describeBlock.children.filter((child) => {
    if (child.type === 'describeBlock') return firstOfEachLine(child, proven).children.length > 0;
    const ids = idsOf(child.name);
    const isFirst = ids.some((id) => !proven.has(id));
    for (const id of ids) proven.add(id);
    return isFirst;
  });
  return describeBlock;
}
