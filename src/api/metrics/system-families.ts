import type { SystemView } from '../../projections/system/system.queries.js';
import type { Family } from './families.js';

/** The metrics of the whole system. */
export const SYSTEM_FAMILIES: readonly Family<SystemView>[] = [
  {
    kind: 'gauge',
    name: 'waybill_quarantined_tasks',
    help: 'Tasks that are put aside because their histories cannot be read.',
    samples: ({ quarantined }) => [[{}, quarantined]],
  },
  {
    kind: 'gauge',
    name: 'waybill_sweep_failing_items',
    help: 'Leases, triggers, queues and others that the sweeper could not deal with.',
    samples: ({ failingItems }) => [[{}, failingItems]],
  },
  {
    kind: 'counter',
    name: 'waybill_mended_index_rows_total',
    help: 'Rows of the index that contradicted the log or each other, and were mended.',
    samples: ({ mendedRows }) => [[{}, mendedRows]],
  },
  {
    kind: 'counter',
    name: 'waybill_log_gaps_total',
    help: 'Gaps in what followers got of a log in EventStoreDB: skipped events, which were read and applied, and doubled ones, which were left out.',
    samples: ({ skippedEvents, doubledEvents }) => [
      [{ kind: 'skipped' }, skippedEvents],
      [{ kind: 'doubled' }, doubledEvents],
    ],
  },
  {
    kind: 'gauge',
    name: 'waybill_outbox_refused_rows',
    help: 'Rows of the outbox whose tasks were refused.',
    samples: ({ refusedOutboxRows }) => [[{}, refusedOutboxRows]],
  },
  {
    kind: 'gauge',
    name: 'waybill_failing_triggers',
    help: 'Triggers that failed when they were to fire last.',
    samples: ({ failingTriggers }) => [[{}, failingTriggers]],
  },
  {
    kind: 'gauge',
    name: 'waybill_skipped_occurrences',
    help: 'Occurrences that triggers left out since they were defined, as they say about missed ones.',
    samples: ({ skippedOccurrences }) => [[{}, skippedOccurrences]],
  },
  {
    kind: 'gauge',
    name: 'waybill_failing_delivery_targets',
    help: 'Mail servers and hosts of webhooks that failed at least three times in a row.',
    samples: ({ failingTargets }) => [[{}, failingTargets]],
  },
  {
    kind: 'gauge',
    name: 'waybill_events_put_aside',
    help: 'Events that reactions and triggers could not deal with and try again, that wait for such a one, or that the index could not apply to their triggers.',
    samples: ({ eventsPutAside }) => [[{}, eventsPutAside]],
  },
  {
    kind: 'gauge',
    name: 'waybill_last_sweep_age_seconds',
    help: 'Seconds since any process swept last; +Inf if none ever did.',
    samples: ({ lastSweepSeconds }) => [[{}, lastSweepSeconds ?? Infinity]],
  },
];
