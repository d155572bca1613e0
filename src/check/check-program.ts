import 'reflect-metadata';
import { PolicyChanges as PolicyShape } from '../api/dto/policy.dto.js';
import { faultsAgainst } from '../api/input/validator.js';
import type { PolicyChanges } from '../application/queues/policy-changes.js';
import type { RecordedEvent } from '../application/kernel/recorded-event.js';
import { checkExport, type Finding } from './check-export.js';
import { BadExport } from './file-lines.js';

/** As in the command line, which knows nothing of the service. */
export interface ProgramOptions {
  readonly policies: ReadonlyMap<string, string>;
  readonly isOver: boolean;
  readonly onFinding: (finding: ToldFinding) => void;
}

export interface ToldFinding {
  readonly kind: 'broken' | 'unreadable' | 'other';
  readonly position: string | null;
  readonly stream: string | null;
  readonly says: string;
  readonly invariant?: string;
}

/** Runs `waybill check`. `refused`: why the file, or a policy, cannot be used. */
export async function checkProgram(path: string, { policies: texts, isOver, onFinding }: ProgramOptions) {
  try {
    const policies = new Map([...texts].map(([queue, text]) => [queue, policyIn(queue, text)] as const));
    const options = { policies, isOver, onFinding: (finding: Finding) => onFinding(told(finding)) };
    const { position, unmet, ...result } = await checkExport(path, options);
    if (unmet.length > 0)
      return { refused: `Expected tasks of queue '${unmet.join("' and '")}' in the log, but there are none` };
    return { ...result, position: String(position) };
  } catch (error) {
    if (error instanceof BadExport) return { refused: error.message };
    throw error;
  }
}

function policyIn(queue: string, text: string): PolicyChanges {
  const says = `Expected changes of the policy of '${queue}' as JSON, but`;
  let changes: unknown;
  try {
    changes = JSON.parse(text);
  } catch (error) {
    throw new BadExport(`${says}: ${(error as Error).message}`);
  }
  const [fault] = faultsAgainst(PolicyShape as new () => object, changes);
  if (fault) throw new BadExport(`${says} at '${fault.pointer}': ${fault.detail}`);
  return changes as PolicyChanges;
}

function told(finding: Finding): ToldFinding {
  if ('unreadable' in finding) {
    const { position, stream, reason } = finding.unreadable;
    return { kind: 'unreadable', position: String(position), stream, says: reason };
  }
  if ('other' in finding) {
    const { position, stream, recorded, instead } = finding.other;
    const then = typeof instead === 'string' ? instead : typesOf(instead);
    const says = `recorded ${typesOf(recorded)}, but under the other policy ${then}`;
    return {
      kind: 'other',
      position: String(position),
      stream,
      says: typesOf(recorded) === then ? `${says} with other data` : says,
    };
  }
  const { invariant, says, events } = finding.broken;
  return { kind: 'broken', invariant, ...placeOf(events.at(-1)), says };
}

const typesOf = (events: readonly { readonly type: string }[]): string => events.map(({ type }) => type).join(' + ');

const placeOf = (recorded: RecordedEvent | undefined) => ({
  position: recorded ? String(recorded.position) : null,
  stream: recorded?.stream ?? null,
});
