import type { RecordedEvent } from '../../application/kernel/recorded-event.js';
import { matches, waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { evolveTrigger, type TriggerState } from '../../domain/trigger/trigger.state.js';
import { isOfTrigger } from '../appends.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';

/**
 * I11 of triggers that wait for events: each event has one task, or is recorded as given up. A trigger that was changed
 * or disabled may have left out some of the events before.
 */
export class EventFirings implements Rule {
  private readonly triggers = new Map<string, EventTriggerRecord>();

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded } of append) {
      for (const trigger of this.triggers.values()) trigger.see(recorded);
      if (!isOfTrigger(recorded)) continue;
      const { event, stream } = recorded as RecordedEvent<TriggerEvent>;
      if (event.type === 'TriggerDefined' && !this.triggers.has(stream))
        this.triggers.set(stream, new EventTriggerRecord(event.data.trigger));
      this.triggers.get(stream)?.take(recorded as RecordedEvent<TriggerEvent>, tell);
    }
  }

  end(tell: Tell): void {
    for (const trigger of this.triggers.values()) trigger.forgotten(tell);
  }
}

class EventTriggerRecord {
  private state: TriggerState = { status: 'unknown' };
  private isChanged = false;
  private readonly open = new Map<string, RecordedEvent>();
  private readonly done = new Set<string>();

  constructor(private readonly name: string) {}

  see(recorded: RecordedEvent): void {
    if (!('definition' in this.state) || this.state.status !== 'enabled') return;
    const { definition } = this.state;
    if (waitsForEvents(definition) && matches(definition.event, recorded.event))
      this.open.set(String(recorded.position), recorded);
  }

  take(recorded: RecordedEvent<TriggerEvent>, tell: Tell): void {
    const { event } = recorded;
    this.isChanged ||= this.state.status !== 'unknown' && CHANGES.has(event.type);
    if (event.type === 'TriggerGaveUp' && event.data.skipped) this.giveUp(BigInt(event.data.position));
    else for (const position of positionsIn(event)) this.deal(position, recorded, tell);
    this.state = evolveTrigger(this.state, event);
  }

  private giveUp(upTo: bigint): void {
    for (const position of this.open.keys()) if (BigInt(position) <= upTo) this.open.delete(position);
  }

  forgotten(tell: Tell): void {
    if (this.isChanged) return;
    for (const [position, recorded] of this.open)
      tell(violation('I11', `Expected '${this.name}' to make a task of the event at ${position}`, recorded));
  }

  private deal(position: string, recorded: RecordedEvent, tell: Tell): void {
    this.open.delete(position);
    if (this.done.has(position))
      tell(violation('I11', `Expected '${this.name}' to deal with the event at ${position} once`, recorded));
    this.done.add(position);
  }
}

const CHANGES: ReadonlySet<string> = new Set(['TriggerDefined', 'TriggerChanged', 'TriggerDisabled', 'TriggerDeleted']);

function positionsIn({ type, data }: TriggerEvent): readonly string[] {
  if (type === 'TriggerGaveUp') return [data.position];
  if (type !== 'TriggerFired') return [];
  return data.firings.flatMap(({ position }) => (position === undefined ? [] : [position]));
}
