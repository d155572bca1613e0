import { type Evidence, evidenceIn, evidencePage, provenEvents } from '@waybill/client/evidence-page';
import { plural } from '@waybill/client/words';
import { NotDone } from '../problems.js';
import type { ProvenTask, Surroundings } from '../session.js';

/** Whether the text begins as a page does. */
export const isPage = (text: string): boolean => /^<!doctype html>/i.test(text);

type Verify = (proof: string) => ReturnType<NonNullable<Surroundings['verifyProof']>>;

export interface VerifiedEvidence {
  readonly about: Evidence['about'];
  /** How many tasks the service said there are. */
  readonly of: number;
  readonly tasks: readonly ProvenTask[];
}

/**
 * What a page proves to whoever trusts the keys by which its proofs are verified: these, that they are of what it says, and that it shows what they say. Throws
 * `NotDone` where it does not (1), and where it is no page of evidence (2).
 */
export async function verifiedEvidence(page: string, verify: Verify): Promise<VerifiedEvidence> {
  const evidence = evidenceIn(page);
  if (!evidence || !Array.isArray(evidence.proofs) || evidence.proofs.length === 0)
    throw new NotDone('Expected a page of evidence of version 2 with proofs, but it has none that can be read.', 2);
  const tasks: ProvenTask[] = [];
  for (const proof of evidence.proofs) tasks.push(provenIn(await verify(JSON.stringify(proof))));
  const fault = faultOf(evidence, page);
  if (fault !== null) throw new NotDone(`Expected ${fault}.`);
  return { about: evidence.about, of: evidence.tasks, tasks };
}

const CHANGED = 'the page to show what its proofs say, but somebody has changed it: believe nothing that it shows';

function provenIn(result: Awaited<ReturnType<Verify>>): ProvenTask {
  if ('refused' in result) throw new NotDone(result.refused, 2);
  if ('fault' in result) throw new NotDone(result.fault);
  return result;
}

/** Null if the page shows what its proofs say, and they are of what it says. Of what has not the form of evidence, no page can be made. */
function faultOf(evidence: Evidence, page: string): string | null {
  try {
    return faultIn(evidence) ?? (evidencePage(evidence) === page ? null : CHANGED);
  } catch {
    return CHANGED;
  }
}

/** Null if the proofs are of what the page is about, and what no proof says is what it can only be. */
function faultIn({ about, madeAt, proofs, tasks }: Evidence): string | null {
  const ids = new Set(proofs.map(({ task }) => task));
  if (ids.size < proofs.length) return `${plural(proofs.length, 'proof')} of as many tasks, but there are ${ids.size}`;
  if (!isTime(madeAt)) return `a time at which the page was made, but it says '${madeAt}'`;
  if (!Number.isSafeInteger(tasks) || tasks < proofs.length)
    return `at least ${proofs.length} tasks, but the page says ${tasks}`;
  return faultOfSubject(about, proofs);
}

/** As `toISOString` writes it. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

const GROUP_ID = /^g[0-9a-f]{15}$/;

/** Which tasks failed with the same cause is not in the log. */
function faultOfSubject({ kind, id }: Evidence['about'], proofs: Evidence['proofs']): string | null {
  switch (kind) {
    case 'task':
      return proofs.length === 1 && proofs[0]!.task === id ? null : `a proof of the task ${id} alone`;
    case 'batch': {
      const other = proofs.find((proof) => !provenEvents(proof).some(({ data }) => data['batch'] === id));
      return other ? `tasks of the batch ${id}, but ${other.task} is none` : null;
    }
    case 'group':
      return GROUP_ID.test(id) ? null : `the id of a failure group, but it says '${id}'`;
  }
}

/** What was verified, for people. */
export const evidenceWords = ({ about, of, tasks }: VerifiedEvidence): string => {
  const events = tasks.reduce((sum, one) => sum + one.events.length, 0);
  const first = tasks[0]!;
  const whose =
    about.kind === 'task'
      ? `the task ${about.id}`
      : `${tasks.length} of ${plural(of, 'task')}, about the ${about.kind} ${about.id}`;
  return `Verified ${plural(events, 'event')} of ${whose}: in the log '${first.log}' of ${plural(first.size, 'leaf', 'leaves')}. The page shows what its proofs say. It does not prove that nothing followed.`;
};
