import type { AppendItem, AppendResult, Constraint } from '../../application/kernel/event-store.port.js';

export interface AppendRow {
  /** The log's last position before this append; its events follow one by one. */
  readonly head: string;
  readonly at: string;
  readonly problems: readonly Problem[] | null;
}

/** Why the item number `i` (from 1) was not stored. */
type Problem =
  | { readonly i: number; readonly kind: 'conflict'; readonly actual: number }
  | { readonly i: number; readonly kind: 'duplicate'; readonly position: string; readonly revision: number }
  | { readonly i: number; readonly kind: 'refused'; readonly constraint: Constraint; readonly holder: string | null };

export function appendResults(
  items: readonly AppendItem[],
  { head, at, problems }: AppendRow,
): readonly AppendResult[] {
  const problemOf = new Map(problems?.map((problem) => [problem.i, problem]));
  let position = BigInt(head);
  return items.map((item, index) => {
    position += BigInt(item.events.length);
    const problem = problemOf.get(index + 1);
    if (problem) return resultOf(problem);
    return { kind: 'appended', position, revision: item.expected + item.events.length, recordedAt: at };
  });
}

function resultOf(problem: Problem): AppendResult {
  if (problem.kind === 'conflict') return { kind: 'conflict', actual: problem.actual };
  if (problem.kind === 'refused') return { kind: 'refused', constraint: problem.constraint, holder: problem.holder };
  return { kind: 'duplicate', position: BigInt(problem.position), revision: problem.revision };
}

/** The results of an atomic append that the database rolled back; null where the error is another one. */
export function refusedAsAWhole(items: readonly AppendItem[], error: unknown): readonly AppendResult[] | null {
  const { code, detail } = error as { code?: string; detail?: string };
  if (code !== 'WB001') return null;
  const problems = new Map((JSON.parse(detail!) as Problem[]).map((problem) => [problem.i, problem]));
  return items.map((item, index) => {
    const problem = problems.get(index + 1);
    return problem ? resultOf(problem) : { kind: 'conflict', actual: item.expected };
  });
}
