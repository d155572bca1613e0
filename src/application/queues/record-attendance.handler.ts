import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { AttendanceCommand } from '../../domain/attendance/attendance.decider.js';
import type { CommandContext } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';

/** Records whether workers are there for queues, where that has changed. Returns of how many it was asked. */
export class RecordAttendance extends Command<number> {
  constructor(
    readonly seen: readonly AttendanceCommand[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RecordAttendance)
export class RecordAttendanceHandler implements ICommandHandler<RecordAttendance> {
  constructor(private readonly commands: StreamCommands) {}

  async execute({ seen, context }: RecordAttendance): Promise<number> {
    for (const one of seen) await this.commands.runOn(AGGREGATES.attendance, one.queue, one, context);
    return seen.length;
  }
}
