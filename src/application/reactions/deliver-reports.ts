import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { BatchEvent, BatchEventOf, ReportedTask } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Json } from '../../domain/kernel/json.js';
import { type ReportText, reportText, taskReportText, tasksNamed } from '../batches/report-text.js';
import { type DetailsOfTasks, reportedTasks } from '../batches/reported-tasks.js';
import { reportDeliveryId } from '../batches/report-delivery.js';
import type { Delivery, Notice } from '../deliveries/delivery.js';
import { StartDelivery } from '../deliveries/start-delivery.handler.js';
import { NotTakenNow, Refused } from '../kernel/application-error.js';
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
    const { mail, webhook } = created.reportTo ?? {};
    if (mail) await this.order('mail', { mail: { to: mail, ...(await this.textOf(created, recorded)) } }, recorded);
    if (webhook) await this.order('webhook', { webhook, event: await this.noticeOf(recorded) }, recorded);
  }

  private async textOf({ name }: Created, { event, position }: RecordedEvent): Promise<ReportText> {
    const report = event as Report;
    if (report.type === 'BatchTaskReported')
      return taskReportText(name, report.data, await reportedTasks(this.store, [report.data], position));
    return reportText(name, report.data, await reportedTasks(this.store, tasksNamed(report.data), position));
  }

  /** Receivers get the names of the tasks, which the event does not have. */
  private async noticeOf({ event, position }: RecordedEvent): Promise<Notice> {
    const report = event as Report;
    const details = await reportedTasks(this.store, tasksIn(report), position);
    const { batch: subject, at: time } = report.data;
    const type = NOTICES[report.type];
    return { type, source: '/batches', subject, time, data: named(report, details) };
  }

  /** An order that was made before may have another text, which an earlier version wrote. */
  private async order(kind: 'mail' | 'webhook', delivery: Delivery, recorded: RecordedEvent): Promise<void> {
    const { batch, number } = (recorded.event as Report).data;
    const id = reportDeliveryId(batch, number, kind);
    try {
      await this.commands.execute(new StartDelivery(delivery, id, reactionContext(this.name, recorded)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.rejection.code === 'TASK_EXISTS') return;
      if (error.rejection.code === 'DRAINING')
        throw new NotTakenNow(`Expected to order delivery '${id}', but the system drains`);
      throw isPassing(error.rejection) ? new StreamContentionError(taskStream(id)) : error;
    }
  }
}

const NOTICES = {
  BatchReported: 'dev.waybill.batch.reported',
  BatchTaskReported: 'dev.waybill.batch.task-reported',
} as const;

const tasksIn = ({ type, data }: Report): readonly ReportedTask[] =>
  type === 'BatchReported' ? [...data.changes, ...data.incomplete] : [data];

function named({ type, data }: Report, details: DetailsOfTasks): Json {
  const withName = <Task extends ReportedTask>(one: Task): Task => {
    const { name = null } = details.get(one.task) ?? {};
    return name === null ? one : { ...one, name };
  };
  const content =
    type === 'BatchReported'
      ? { ...data, changes: data.changes.map(withName), incomplete: data.incomplete.map(withName) }
      : withName(data);
  return content as unknown as Json;
}
