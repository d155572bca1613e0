import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { BatchEvent, BatchEventOf } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Json } from '../../domain/kernel/json.js';
import { reportText, taskReportText } from '../batches/report-text.js';
import { reportDeliveryId } from '../batches/report-delivery.js';
import type { Delivery } from '../deliveries/delivery.js';
import { StartDelivery } from '../deliveries/start-delivery.handler.js';
import { Refused } from '../kernel/application-error.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import { StreamContentionError } from '../kernel/stream-command.js';
import { isPassing } from '../tasks/enqueue-item.js';
import { reactionContext, type Reaction } from './reaction.js';

type Report = BatchEventOf<'BatchReported' | 'BatchTaskReported'>;
type Created = BatchEventOf<'BatchCreated'>['data'];

/**
 * Orders the deliveries of what batches report. The ids follow from the batch and the number of the report, and the
 * content from the events, so a repetition finds the deliveries of the first time.
 */
@Injectable()
export class DeliverReports implements Reaction {
  static readonly NAME = 'deliver-reports';
  readonly name = DeliverReports.NAME;
  readonly types: readonly BatchEvent['type'][] = ['BatchReported', 'BatchTaskReported'];

  constructor(
    private readonly commands: CommandBus,
    private readonly store: EventStore,
  ) {}

  concerns(): boolean {
    return true;
  }

  async react(recorded: RecordedEvent): Promise<void> {
    const report = recorded.event as Report;
    const [history] = await this.store.readStreams([batchStream(report.data.batch)]);
    const created = history!.find(({ event }) => event.type === 'BatchCreated')!.event.data as Created;
    for (const [kind, delivery] of deliveriesOf(report, created)) {
      const id = reportDeliveryId(report.data.batch, report.data.number, kind);
      await this.order(delivery, id, recorded);
    }
  }

  /** An order that was made before may have another text, which an earlier version wrote. */
  private async order(delivery: Delivery, id: string, recorded: RecordedEvent): Promise<void> {
    try {
      await this.commands.execute(new StartDelivery(delivery, id, reactionContext(this.name, recorded)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.rejection.code === 'TASK_EXISTS') return;
      throw isPassing(error.rejection) ? new StreamContentionError(taskStream(id)) : error;
    }
  }
}

function deliveriesOf(
  report: Report,
  { name, reportTo }: Created,
): readonly (readonly ['mail' | 'webhook', Delivery])[] {
  const deliveries: (readonly ['mail' | 'webhook', Delivery])[] = [];
  if (reportTo?.mail) deliveries.push(['mail', { mail: { to: reportTo.mail, ...textOf(name, report) } }]);
  if (reportTo?.webhook) {
    const { batch, at: time } = report.data;
    const type = report.type === 'BatchReported' ? 'dev.waybill.batch.reported' : 'dev.waybill.batch.task-reported';
    const event = { type, source: '/batches', subject: batch, time, data: report.data as unknown as Json };
    deliveries.push(['webhook', { webhook: reportTo.webhook, event }]);
  }
  return deliveries;
}

const textOf = (name: string, report: Report) =>
  report.type === 'BatchReported' ? reportText(name, report.data) : taskReportText(name, report.data);
