import type { TriggerDefinition, TriggerView } from '@waybill/client';

/** What a definition of a trigger says; all else that is shown of one follows from it. */
const MEMBERS = [
  'cron',
  'timeZone',
  'missed',
  'queue',
  'batchSize',
  'every',
  'leaseMs',
  'changes',
  'event',
  'delivery',
  'mail',
  'webhook',
  'notify',
  'task',
  'description',
] as const satisfies readonly (keyof TriggerDefinition & keyof TriggerView)[];

/** The definition of a trigger, to be changed. */
export const definitionOf = (trigger: Partial<TriggerView>): Record<string, unknown> =>
  Object.fromEntries(MEMBERS.map((name) => [name, trigger[name]]).filter(([, value]) => value !== undefined));
