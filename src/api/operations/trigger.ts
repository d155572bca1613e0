import cronstrue from 'cronstrue';
import type { Rejection } from '../../application/kernel/application-error.js';
import { nextOccurrences } from '../../application/kernel/cron.js';
import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { TriggerRow } from '../../projections/triggers/triggers.queries.js';
import type { TriggerDefinition as Asked } from '../dto/trigger.dto.js';
import { problemOfRejection } from '../problems/problem.js';

export function definitionOf({ cron, timeZone, description = '', missed = 'latest', task }: Asked): TriggerDefinition {
  const { payload, ...work } = task;
  return {
    cron,
    timeZone,
    description,
    missed,
    task: { ...work, ...(payload !== undefined && { payload: payload as Json }) },
  };
}

const SHOWN = 5;

/** What people see of a trigger: besides its row, its pattern in words, and the next times. */
export function triggerView({ next, failure, ...row }: TriggerRow, now: IsoTime) {
  const later = next === null ? [] : [next, ...nextOccurrences(row, next > now ? next : now, SHOWN - 1)];
  return {
    ...row,
    words: inWords(row.cron),
    next: later,
    failure: failure && { ...failure, problem: problemOfRejection(failure.problem as Rejection) },
  };
}

/** The library that describes patterns knows fewer forms than the one that reads them. */
function inWords(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true });
  } catch {
    return cron;
  }
}
