import type { QueryBus } from '@nestjs/cqrs';
import { changeInWords } from '@waybill/client/words';
import type { ChangesDelivery, Mail, Message, Notice, ToldRange } from '../../application/deliveries/delivery.js';
import type { Json } from '../../domain/kernel/json.js';
import { type ChangesPage, ListChanges } from '../../projections/changes/changes.queries.js';

type TaskChange = ChangesPage['items'][number];

/** Tasks that one message names. It says how to list all of them. */
const MOST_NAMED = 500;

/** The first tasks that have changed, and whether there are more. */
interface Told {
  readonly changes: readonly TaskChange[];
  readonly more: boolean;
}

/** Makes the messages of what has changed, from the log up to the end of their range. */
export class ChangesMessages {
  constructor(private readonly queries: Pick<QueryBus, 'execute'>) {}

  /** The same at every attempt. Throws the reason of the signal when it is aborted. */
  async of({ changes: range, to }: ChangesDelivery, stop: AbortSignal): Promise<Message> {
    const told = await this.toldOf(range, stop);
    if ('mail' in to) return { mail: { to: to.mail.to, ...mailOf(range, told) } };
    return { webhook: to.webhook, event: noticeOf(range, told) };
  }

  private async toldOf({ queue, after, upTo }: ToldRange, stop: AbortSignal): Promise<Told> {
    const between = { from: BigInt(after), to: BigInt(upTo) };
    const found: TaskChange[] = [];
    for (let reached: bigint | null = between.from; reached !== null && found.length <= MOST_NAMED;) {
      stop.throwIfAborted();
      const page: ChangesPage = await this.queries.execute(new ListChanges(between, { queue }, reached, MOST_NAMED));
      found.push(...page.items);
      ({ reached } = page);
    }
    return { changes: found.slice(0, MOST_NAMED), more: found.length > MOST_NAMED };
  }
}

const noticeOf = ({ trigger, at, queue, after, upTo }: ToldRange, { changes, more }: Told): Notice => ({
  type: 'dev.waybill.tasks.changed',
  source: '/changes',
  subject: queue,
  data: { trigger, at, queue, since: after, until: upTo, changes, more } as unknown as Json,
});

function mailOf({ trigger, queue, after, upTo }: ToldRange, { changes, more }: Told): Pick<Mail, 'subject' | 'text'> {
  const count = more ? `more than ${MOST_NAMED} tasks` : countOf(changes.length);
  const lines = [
    `Trigger '${trigger}' tells what has changed in queue '${queue}' since it last told.`,
    '',
    ...(changes.length === 0 ? ['No task has changed.'] : changes.map(lineOf)),
    ...(more ? ['- and more'] : []),
    '',
    `waybill changes --since ${after} --until ${upTo} --queue ${queue}`,
  ];
  return { subject: `${queue}: ${count} changed`, text: `${lines.join('\n')}\n` };
}

const countOf = (count: number): string => (count === 0 ? 'no task' : count === 1 ? '1 task' : `${count} tasks`);

const lineOf = (change: TaskChange): string =>
  `- ${oneLine(change.reference ?? change.task)}: ${changeInWords(change)}`;

/** A line break would break the list. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
