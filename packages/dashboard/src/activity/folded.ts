import type { ActivityItem } from '@waybill/client';

/** Lines in a row that say the same of different things. */
export interface FoldedActivity {
  /** The newest of them. */
  readonly item: ActivityItem;
  /** How many lines it stands for. */
  readonly lines: number;
  /** The commands of all of them. */
  readonly count: number;
}

/** Folds lines in a row in which only the time and the thing differ, such as a hundred tasks that one program cancelled. */
export function folded(items: readonly ActivityItem[]): FoldedActivity[] {
  const found: FoldedActivity[] = [];
  for (const item of items) {
    const last = found.at(-1);
    if (last && saysOf(last.item) === saysOf(item))
      found[found.length - 1] = { ...last, lines: last.lines + 1, count: last.count + item.count };
    else found.push({ item, lines: 1, count: item.count });
  }
  return found;
}

/** The queue of a queue is the thing itself. */
const saysOf = ({ by, agent, type, category, queue, reason }: ActivityItem): string =>
  JSON.stringify([by, agent, type, category, category === 'queue' ? null : queue, reason]);
