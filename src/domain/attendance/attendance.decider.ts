import { accept, alreadyDone, type Decider } from '../kernel/decider.js';
import type { IsoTime } from '../kernel/json.js';
import type { AttendanceEvent } from './attendance.events.js';

/** Nothing is recorded of a queue until it is unattended for the first time. */
export type AttendanceState = { readonly status: 'attended' | 'unattended' };

export type AttendanceCommand =
  | { readonly type: 'RecordAbsence'; readonly queue: string; readonly since: IsoTime | null }
  | { readonly type: 'RecordPresence'; readonly queue: string; readonly worker: string };

/** Records when a queue's tasks begin to wait without workers, and when a worker asks again, each once. */
export const attendanceDecider: Decider<AttendanceState, AttendanceCommand, AttendanceEvent, never> = {
  initialState: { status: 'attended' },
  evolve: (_, { type }) => ({ status: type === 'QueueUnattended' ? 'unattended' : 'attended' }),
  decide: (command, { status }) => {
    const { queue } = command;
    if (command.type === 'RecordAbsence') {
      if (status === 'unattended') return alreadyDone;
      return accept<AttendanceEvent>({ type: 'QueueUnattended', version: 1, data: { queue, since: command.since } });
    }
    if (status === 'attended') return alreadyDone;
    return accept<AttendanceEvent>({ type: 'QueueAttended', version: 1, data: { queue, worker: command.worker } });
  },
};
