import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RecordAttendance } from '../../../application/queues/record-attendance.handler.js';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import type { AttendanceCommand } from '../../../domain/attendance/attendance.decider.js';
import { AttendanceWatch } from '../../presence/attendance-watch.js';
import { type Chore, contextOfRound } from '../chore.js';

/** Records since when tasks wait without workers, and when workers are there again: nothing else in the log says so. */
@Injectable()
export class WatchAttendance implements Chore<AttendanceCommand> {
  readonly name = 'watch attendance';
  readonly idOf = ({ queue }: AttendanceCommand) => queue;

  constructor(
    private readonly commands: CommandBus,
    private readonly watch: AttendanceWatch,
  ) {}

  find(limit: number): Promise<readonly AttendanceCommand[]> {
    return this.watch.changes(limit);
  }

  async act(seen: readonly AttendanceCommand[], term: LeaderTerm): Promise<number> {
    const done = await this.commands.execute(new RecordAttendance(seen, contextOfRound(term)));
    this.watch.note(seen);
    return done;
  }
}
