import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { SystemEvent } from '../../domain/system/system.events.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { systemRow } from '../kernel/rows/system-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { SystemView } from './system.queries.js';

export type DrainState = Pick<SystemView, 'state' | 'drain'>;

/** Whether and how the system drained. */
export class GetDrainAsOf extends Query<DrainState> {
  constructor(readonly moment: Moment) {
    super();
  }
}

@QueryHandler(GetDrainAsOf)
export class GetDrainAsOfHandler implements IQueryHandler<GetDrainAsOf> {
  constructor(private readonly past: Past) {}

  async execute({ moment }: GetDrainAsOf): Promise<DrainState> {
    const [history] = await this.past.historiesAt([DRAIN_STREAM], moment.position);
    const row = systemRow(eventsIn<SystemEvent>(history!)) as Readonly<Record<string, never>>;
    if (!row.draining) return { state: 'running', drain: null };
    const { intake, running, reason, begun_by: by, begun_at: since, quiesced_at: quiescedAt } = row;
    return {
      state: 'draining',
      drain: { intake: intake!, running: running!, reason: reason!, by: by!, since: since!, quiescedAt: quiescedAt! },
    };
  }
}
