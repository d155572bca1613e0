import { createWaybill, type Waybill } from '@waybill/client';
import { count, duration, plural } from '@waybill/client/words';
import type { Paint } from '@waybill/cli/terminal';
import { VAULT } from './queues/vault.js';
import { elsewhere } from './report.js';

/** Who breaks it. The history says so, too. */
const CULPRIT = 'night-shift';
const REASON = 'uploads hang now and then: end them sooner';
/** Shorter than any upload. */
const TOO_SHORT_MS = 1_000;
const UPLOADS = 12;

/** What was broken, and since when. */
export interface Incident {
  readonly failed: number;
  readonly since: number;
  readonly position: string;
}

export const defineVault = (waybill: Waybill) =>
  waybill.queue(VAULT.name).define(VAULT.policy, { description: VAULT.description, replace: true });

/** Changes a policy so that every upload fails, as somebody might who means well. Resolves when they have failed. */
export async function breakVault(waybill: Waybill, url: string): Promise<Incident> {
  const vault = waybill.queue(VAULT.name);
  const { policyVersion } = await vault.get();
  const nightShift = createWaybill({ url, actor: CULPRIT, logger: null }).queue(VAULT.name);
  const { position } = await nightShift.changePolicy(
    { maxRunMs: TOO_SHORT_MS },
    { ifVersion: policyVersion, reason: REASON },
  );
  await vault.enqueueMany(Array.from({ length: UPLOADS }, (_, at) => ({ payload: { box: at + 1 } })));
  await until(waybill, position!, async () => (await standing(waybill)).open === 0);
  const { failed } = await standing(waybill);
  return { failed, since: Date.now(), position: position! };
}

/** Resolves when nothing of it is failed or open, with how long that took. */
export async function repaired(waybill: Waybill, { since, position }: Incident, signal?: AbortSignal): Promise<number> {
  const isOver = async (): Promise<boolean> => {
    const { failed, open } = await standing(waybill);
    return failed + open === 0;
  };
  await until(waybill, position, isOver, signal);
  return Date.now() - since;
}

async function standing(waybill: Waybill): Promise<{ readonly failed: number; readonly open: number }> {
  const { counts } = await waybill.queue(VAULT.name).stats();
  return { failed: counts.failed ?? 0, open: (counts.pending ?? 0) + (counts.running ?? 0) };
}

/** Looks when something has changed. */
async function until(
  waybill: Waybill,
  after: string,
  isSo: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  signal?.addEventListener('abort', () => over.abort());
  for await (const { queues, everything } of waybill.followChanges({ after, signal: over.signal })) {
    const concerns = everything || queues === null || queues.includes(VAULT.name);
    if (concerns && (await isSo())) return over.abort();
  }
}

/** What people see, and how they find out. */
export function incidentText({ failed }: Incident, api: string, paint: Paint): string {
  const step = (what: string, command: string) => `  ${paint.dim(what.padEnd(13))}${command}\n`;
  return [
    `  ${paint.red(`Something broke: ${count(failed)} uploads failed.`)} Find out why, and repair it.\n`,
    `  In a second terminal, in this folder:\n\n`,
    ...elsewhere(api).map((line) => step('First', line)),
    step('What fails', 'npx waybill failures --queue archive-vault'),
    step('Why', 'npx waybill failure show GROUP       # "policy before" names who'),
    step('Who changed', 'npx waybill queue versions archive-vault'),
    step('Put it right', `npx waybill queue change archive-vault '{"maxRunMs":60000}'`),
    step('Try again', 'npx waybill task retry --filter queue=archive-vault \\'),
    step('', '  --filter state=failed --reason "time enough again"'),
    step('Or by mouse', paint.cyan(`${api}/dashboard/#/failures`)),
  ].join('');
}

export const repairedText = (ms: number, { failed }: Incident, paint: Paint): string =>
  `  ${paint.green(`Repaired in ${duration(ms)}`)}: ${plural(failed, 'upload')} stored.\n  'npx waybill activity --since 1h' tells who did what.\n`;
