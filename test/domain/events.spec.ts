import { ATTENDANCE_EVENTS } from '../../src/domain/attendance/attendance.events.js';
import { NOTARY_EVENTS } from '../../src/domain/notary/notary.events.js';
import { BUILD_EVENTS } from '../../src/domain/build/build.events.js';
import { FAILURE_GROUP_EVENTS } from '../../src/domain/failure-group/failure-group.events.js';
import { HOLD_EVENTS } from '../../src/domain/hold/hold.events.js';
import { RESOURCE_EVENTS } from '../../src/domain/resource/resource.events.js';
import { SYSTEM_EVENTS } from '../../src/domain/system/system.events.js';
import { TRIGGER_EVENTS } from '../../src/domain/trigger/trigger.events.js';
import { VIEW_EVENTS } from '../../src/domain/view/view.events.js';
import { BATCH_EVENTS } from '../../src/domain/batch/batch.events.js';
import { CATEGORIES } from '../../src/domain/aggregates.js';
import { entryOf, EVENTS, eventsWith } from '../../src/domain/events.js';
import { CONSUMER_EVENTS } from '../../src/domain/queue-consumer/consumer.events.js';
import { QUEUE_EVENTS } from '../../src/domain/queue/queue.events.js';
import { TASK_EVENTS } from '../../src/domain/task/task.events.js';

describe('the event catalogue', () => {
  it('has the events of every aggregate, each in one aggregate only', () => {
    const declared = [
      TASK_EVENTS,
      QUEUE_EVENTS,
      CONSUMER_EVENTS,
      TRIGGER_EVENTS,
      HOLD_EVENTS,
      RESOURCE_EVENTS,
      SYSTEM_EVENTS,
      BATCH_EVENTS,
      ATTENDANCE_EVENTS,
      BUILD_EVENTS,
      FAILURE_GROUP_EVENTS,
      NOTARY_EVENTS,
      VIEW_EVENTS,
    ].flatMap((events) => Object.keys(events));
    expect(Object.keys(EVENTS)).toEqual(declared);
    expect(new Set(declared).size).toBe(declared.length);
  });

  it('says which aggregate an event belongs to and which version is current, and nothing of an unknown type', () => {
    expect(CATEGORIES).toEqual([
      'task',
      'queue',
      'consumer',
      'trigger',
      'hold',
      'resource',
      'system',
      'batch',
      'attendance',
      'build',
      'failure',
      'notary',
      'view',
    ]);
    expect(entryOf('TaskReleased')).toEqual({
      category: 'task',
      version: 1,
      command: 'bulk',
      shared: ['queue', 'by'],
      effects: ['offers-work', 'changes-schedule', 'begins-wait'],
      moves: { from: 'held', to: 'pending' },
    });
    expect(entryOf('QueueTaken')).toMatchObject({ category: 'consumer' });
    expect(entryOf('toString')).toBeUndefined();
  });

  it('says which commands one order may give for many tasks', () => {
    const bulk = Object.entries(EVENTS).flatMap(([type, { command }]) => (command === 'bulk' ? type : []));
    expect(bulk.sort()).toEqual([
      'TaskAborted',
      'TaskCancelRequested',
      'TaskCancelled',
      'TaskDeleted',
      'TaskErased',
      'TaskHeld',
      'TaskReleased',
      'TaskReprioritised',
      'TaskRestored',
      'TaskRetried',
    ]);
  });

  it('has an upcaster from every earlier version', () => {
    for (const { version, upcasters = {} } of Object.values(EVENTS))
      expect(Object.keys(upcasters)).toEqual(Array.from({ length: version - 1 }, (_, from) => String(from + 1)));
  });

  it('finds events by an effect', () => {
    expect([...eventsWith('fills-abandoned-place')]).toEqual([
      'TaskReservationAbandoned',
      'QueueReservationAbandoned',
      'BatchReservationAbandoned',
    ]);
    expect([...eventsWith('begins-run')]).toEqual(['TaskClaimed']);
  });
});
