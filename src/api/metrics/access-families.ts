import type { WaybillHttpAdapter } from '../http/http-adapter.js';
import { namedRooms } from '../http/rooms.js';
import type { Family } from './families.js';

/** The metrics of those who are let in. */
export const ACCESS_FAMILIES: readonly Family<
  Pick<WaybillHttpAdapter, 'streams' | 'followers' | 'keys' | 'rooms' | 'inbound'>
>[] = [
  {
    kind: 'gauge',
    name: 'waybill_event_streams',
    help: 'Open event streams and reads of events of this process.',
    samples: ({ streams }) => [[{}, streams.open]],
  },
  {
    kind: 'gauge',
    name: 'waybill_task_followers',
    help: 'Open streams of this process by follow tokens.',
    samples: ({ followers }) => [[{}, followers.open]],
  },
  {
    kind: 'gauge',
    name: 'waybill_waiting_requests',
    help: 'Requests to this process that wait: claims for a task that is ready, and readers for the result of one.',
    samples: ({ rooms }) => [[{}, rooms.waitingClaims.inUse]],
  },
  {
    kind: 'gauge',
    name: 'waybill_room_used_ratio',
    help: 'How much is taken of a room that the holders of API keys share in this process, from 0 to 1.',
    samples: ({ rooms }) => namedRooms(rooms).map(([room, { inUse, most }]) => [{ room }, inUse / most]),
  },
  {
    kind: 'counter',
    name: 'waybill_room_refusals_total',
    help: 'Requests that this process refused because a room was full, or their holder had its share of it.',
    samples: ({ rooms }) => namedRooms(rooms).map(([room, { refusals }]) => [{ room }, refusals]),
  },
  {
    kind: 'gauge',
    name: 'waybill_api_keys_file_faulty',
    help: '1 if the file of API keys has changed and cannot be used, so that this process goes on with the keys from before.',
    samples: ({ keys }) => [[{}, keys?.fault ? 1 : 0]],
  },
  {
    kind: 'counter',
    name: 'waybill_deliveries_total',
    help: 'Deliveries to triggers that this process got: those that made a task (taken), repetitions (repeated), those that were signed and made none (refused), and those without a valid signature (unsigned), whose trigger is not named.',
    samples: ({ inbound }) => inbound.all.map(([trigger, outcome, count]) => [{ trigger, outcome }, count]),
  },
];
