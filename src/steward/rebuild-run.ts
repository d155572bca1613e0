import type { Run, Verdict } from '@waybill/client';
import type { ModelRebuild } from '../application/rebuilds/model-rebuild.js';
import type { DifferingRow, ModelRebuilds, RebuildProgress } from '../application/rebuilds/model-rebuilds.port.js';
import { sameContent } from '../domain/kernel/json.js';

/** Looks this often whether another rebuild of the read model has ended, or its process has died. */
const OCCUPIED_MS = 2_000;
const TITLE = 'of the log';

/** One attempt to build a read model anew. The result of a comparison is the count of the rows that differ, and the first of them. */
export async function rebuildModel(run: Run<ModelRebuild>, rebuilds: ModelRebuilds): Promise<Verdict> {
  const { taskId: order, payload } = run.task;
  const { fencingToken, signal } = run;
  const onProgress = ({ position, head }: RebuildProgress): void =>
    run.progress(TITLE, { position: Number(position), end: Number(head > position ? head : position) });
  const outcome = await rebuilds.carryOut(payload, { order, fencingToken, signal, onProgress });
  switch (outcome.kind) {
    case 'occupied':
      return run.postpone(OCCUPIED_MS);
    case 'refused':
      return run.fail('business', outcome.says, { final: true });
    case 'replaced':
      return run.succeed({ projection: payload.projection, mode: payload.mode });
    case 'compared':
      return run.succeed({
        projection: payload.projection,
        mode: payload.mode,
        position: String(outcome.position),
        rows: outcome.rows,
        first: outcome.first.map(told),
      });
  }
}

/** Of a row that is there on both sides only the members that differ. */
function told(row: DifferingRow): DifferingRow {
  const { live, rebuilt } = row;
  if (live === null || rebuilt === null) return row;
  const differing = Object.keys({ ...live, ...rebuilt }).filter((one) => !sameContent(live[one], rebuilt[one]));
  const only = (of: typeof live) => Object.fromEntries(differing.map((one) => [one, of[one] ?? null]));
  return { ...row, live: only(live), rebuilt: only(rebuilt) };
}
