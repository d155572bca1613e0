import type { LogView } from '../../projections/seals/get-log.query.js';
import type { Family } from './families.js';

/** The metrics of the seals of the log. Without a seal, only the first and the last have samples. */
export const SEAL_FAMILIES: readonly Family<LogView>[] = [
  {
    kind: 'gauge',
    name: 'waybill_sealing_stopped',
    help: 'Whether the notary signs nothing, because the log is not what it signed, or for another reason: 1 or 0. GET /v1/log says why.',
    samples: ({ stopped }) => [[{}, stopped ? 1 : 0]],
  },
  {
    kind: 'gauge',
    name: 'waybill_seal_lag_seconds',
    help: 'The age of the oldest event that no seal covers; 0 if there is none.',
    samples: ({ lagSeconds }) => (lagSeconds === null ? [] : [[{}, lagSeconds]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_sealed_leaves',
    help: 'The leaves that the last seal covers.',
    samples: ({ seal }) => (seal ? [[{}, seal.size]] : []),
  },
  {
    kind: 'gauge',
    name: 'waybill_log_audited_position',
    help: 'The position up to which the notary has read the texts of all events again. It begins again once a day.',
    samples: ({ audited }) => (audited ? [[{}, Number(audited.position)]] : []),
  },
  {
    kind: 'counter',
    name: 'waybill_witness_refusals_total',
    help: 'How often a witness has refused a seal, because it knows another log under this name.',
    samples: ({ witnessRefusals }) => [[{}, witnessRefusals]],
  },
];
