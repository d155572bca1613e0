import { Injectable } from '@nestjs/common';
import { EventStore } from '../../application/kernel/event-store.port.js';
import { readEach } from '../../application/kernel/unreadable-stream.js';
import type { AttendanceEvent } from '../../domain/attendance/attendance.events.js';
import { attendanceStream } from '../../domain/attendance/attendance.stream.js';

const PART = 500;

/** Which queues are recorded as unattended. */
@Injectable()
export class UnattendedQueues {
  constructor(private readonly store: EventStore) {}

  /** Those of the queues whose newest event of attendance says so. */
  async among(queues: readonly string[]): Promise<ReadonlySet<string>> {
    const unattended = new Set<string>();
    for (let at = 0; at < queues.length; at += PART) {
      const part = queues.slice(at, at + PART);
      const newest = await readEach(
        part.map(attendanceStream),
        (some) => this.store.readFirst(some),
        (history) => (history.at(-1)?.event as AttendanceEvent | undefined)?.type,
      );
      part.forEach((queue, which) => newest[which] === 'QueueUnattended' && unattended.add(queue));
    }
    return unattended;
  }
}
