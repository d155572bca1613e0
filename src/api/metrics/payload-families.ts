import type { PayloadFigures } from '../../application/kernel/payload-figures.js';
import type { Family } from './families.js';

/** The metrics of what this process did with payloads outside the log. */
export const PAYLOAD_FAMILIES: readonly Family<PayloadFigures>[] = [
  {
    kind: 'counter',
    name: 'waybill_payloads_stored_total',
    help: 'Payloads that this process stored outside the log.',
    samples: ({ stored }) => [[{}, stored.count]],
  },
  {
    kind: 'counter',
    name: 'waybill_payloads_stored_bytes_total',
    help: 'The bytes of the payloads that this process stored outside the log.',
    samples: ({ stored }) => [[{}, stored.bytes]],
  },
  {
    kind: 'counter',
    name: 'waybill_payloads_read_total',
    help: 'Payloads that this process read from outside the log.',
    samples: ({ read }) => [[{}, read.count]],
  },
  {
    kind: 'counter',
    name: 'waybill_payloads_read_bytes_total',
    help: 'The bytes of the payloads that this process read from outside the log.',
    samples: ({ read }) => [[{}, read.bytes]],
  },
  {
    kind: 'counter',
    name: 'waybill_payload_failures_total',
    help: 'How often this process could not store or read a payload outside the log, by the code of the refusal.',
    samples: ({ failures }) => failures.map(([code, count]) => [{ code }, count]),
  },
  {
    kind: 'counter',
    name: 'waybill_payloads_swept_total',
    help: 'Payloads outside the log that this process deleted because no event names them.',
    samples: ({ swept }) => [[{}, swept]],
  },
];
