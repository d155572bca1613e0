import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import type { Family } from './families.js';

/** The metrics of those who are let in. */
export const ACCESS_FAMILIES: readonly Family<Pick<WaybillHttpAdapter, 'streams' | 'keys'>>[] = [
  {
    kind: 'gauge',
    name: 'waybill_event_streams',
    help: 'Open event streams and reads of events of this process.',
    samples: ({ streams }) => [[{}, streams.open]],
  },
  {
    kind: 'gauge',
    name: 'waybill_api_keys_file_faulty',
    help: '1 if the file of API keys has changed and cannot be used, so that this process goes on with the keys from before.',
    samples: ({ keys }) => [[{}, keys?.fault ? 1 : 0]],
  },
];
