import { OutsidePayloads } from '../../src/application/kernel/outside-payloads.js';
import { PayloadFigures } from '../../src/application/kernel/payload-figures.js';
import { NoPayloadStore } from '../../src/infrastructure/payloads/no-payload-store.js';
import { ProcessClock } from './eventstoredb/open-log.js';

/** As in a service that was started without a payload store: a payload that must be stored there is refused. */
export const NO_PAYLOAD_STORE = new OutsidePayloads(new NoPayloadStore(), new ProcessClock(), new PayloadFigures());
