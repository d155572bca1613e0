import type { OperationView } from '@waybill/client';
import { plural } from '../ui/numbers.js';

/** What the first tasks showed, as the service recorded it. */
interface Verdict {
  readonly goesOn: boolean;
  readonly succeeded: number;
  readonly failed: number;
  readonly open: number;
}

interface Ordered {
  readonly canary?: { readonly first: number; readonly goOnIf: number };
}

/** What the tasks that are tried first decided about the others; until then how many are tried. */
export function Canary({ operation: { order, canary, finishedAt } }: { operation: OperationView }) {
  const asked = (order as Ordered | null)?.canary;
  const verdict = canary as Verdict | null;
  if (!asked) return null;
  if (verdict) return <p>{toldBy(verdict)}</p>;
  return finishedAt === null ? (
    <p>
      {plural(asked.first, 'task')} try it first. The others follow if {Math.round(asked.goOnIf * 100)} % of them
      succeed.
    </p>
  ) : null;
}

function toldBy({ goesOn, succeeded, failed, open }: Verdict): string {
  const ends = [`${succeeded} succeeded`, `${failed} failed`, ...(open > 0 ? [`${open} were open`] : [])].join(', ');
  const then = goesOn ? 'so the others followed' : 'so the others were left alone';
  return `Of the first ${plural(succeeded + failed + open, 'task')}, ${ends}: ${then}.`;
}
