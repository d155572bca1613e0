import type { AppendItem, AppendResult, Refusal } from '../../application/kernel/event-store.port.js';
import type { PutOff } from '../dispatch-index/put-off.js';

export type FlushResult = AppendResult | PutOff;

export interface AppendRow {
  /** The log's last position before this append. The events of the append follow without gaps. */
  readonly head: string;
  readonly at: string;
  readonly problems: readonly Problem[] | null;
  /** The queues in which tasks became ready that had been waiting for others. */
  readonly woken: readonly string[] | null;
}

/** Why item number `i` (from 1) was not stored. */
type Problem =
  | { readonly i: number; readonly kind: 'conflict'; readonly actual: number }
  | { readonly i: number; readonly kind: 'duplicate'; readonly position: string; readonly revision: number }
  | ({ readonly i: number; readonly kind: 'refused' } & Refusal)
  | ({ readonly i: number } & PutOff);

export function appendResults(items: readonly AppendItem[], { head, at, problems }: AppendRow): readonly FlushResult[] {
  const problemOf = new Map(problems?.map((problem) => [problem.i, problem]));
  let position = BigInt(head);
  return items.map((item, index) => {
    const problem = problemOf.get(index + 1);
    if (problem) return resultOf(problem);
    position += BigInt(item.events.length);
    return { kind: 'appended', position, revision: item.expected + item.events.length, recordedAt: at };
  });
}

function resultOf(problem: Problem): FlushResult {
  const { i: _item, ...result } = problem;
  return result.kind === 'duplicate' ? { ...result, position: BigInt(result.position) } : result;
}

/** The results of an atomic append that the database rolled back; null if the error has another cause. */
export function refusedAsAWhole(items: readonly AppendItem[], error: unknown): readonly AppendResult[] | null {
  const results = resultsIn(error, 'WB001');
  return (
    results &&
    allOf(
      items,
      items.map((item, at) => results.get(at) ?? asExpected(item)),
    )
  );
}

/** Of an append that the database rolled back because it refused some items beside others: those of the refused, by their places; null if the error has another cause. */
export const refusedBesideOthers = (error: unknown): Refused | null => resultsIn(error, 'WB005');

/** By the place of the item in the append. */
export type Refused = ReadonlyMap<number, FlushResult>;

function resultsIn(error: unknown, expected: string): Refused | null {
  const { code, detail } = error as { code?: string; detail?: string };
  if (code !== expected) return null;
  return new Map((JSON.parse(detail!) as Problem[]).map((problem) => [problem.i - 1, resultOf(problem)]));
}

/** Whether it says what the item's request asked for beside others. Tried again by itself, the item would have the whole measure of a request anew. */
export const isOfItsRequest = (result: FlushResult): boolean =>
  result.kind === 'refused' && result.constraint === 'graph-too-large';

/** The results of an atomic append. Its looks for cycles are those of one request, so it is not put off; if it were, it is decided again. */
export function allOf(items: readonly AppendItem[], results: readonly FlushResult[]): readonly AppendResult[] {
  return results.map((result, at) => (result.kind === 'put-off' ? asExpected(items[at]!) : result));
}

const asExpected = ({ expected }: AppendItem): AppendResult => ({ kind: 'conflict', actual: expected });
