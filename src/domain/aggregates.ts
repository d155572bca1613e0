import { attendanceDecider } from './attendance/attendance.decider.js';
import { ATTENDANCE_EVENTS } from './attendance/attendance.events.js';
import { ATTENDANCE_CATEGORY, attendanceStream } from './attendance/attendance.stream.js';
import { batchDecider } from './batch/batch.decider.js';
import { BATCH_EVENTS } from './batch/batch.events.js';
import { BATCH_CATEGORY, batchStream } from './batch/batch.stream.js';
import { buildDecider } from './build/build.decider.js';
import { BUILD_EVENTS } from './build/build.events.js';
import { BUILD_CATEGORY, buildStream } from './build/build.stream.js';
import { failureGroupDecider } from './failure-group/failure-group.decider.js';
import { FAILURE_GROUP_EVENTS } from './failure-group/failure-group.events.js';
import { FAILURE_CATEGORY, failureGroupStream } from './failure-group/failure-group.stream.js';
import { holdDecider } from './hold/hold.decider.js';
import { HOLD_EVENTS } from './hold/hold.events.js';
import { HOLD_CATEGORY, holdStream } from './hold/hold.stream.js';
import { aggregate } from './kernel/aggregate.js';
import { notaryDecider } from './notary/notary.decider.js';
import { NOTARY_EVENTS } from './notary/notary.events.js';
import { NOTARY_CATEGORY, notaryStream } from './notary/notary.stream.js';
import { consumerDecider } from './queue-consumer/consumer.decider.js';
import { CONSUMER_EVENTS } from './queue-consumer/consumer.events.js';
import { CONSUMER_CATEGORY, consumerStream } from './queue-consumer/consumer.stream.js';
import { queueDecider } from './queue/queue.decider.js';
import { QUEUE_EVENTS } from './queue/queue.events.js';
import { QUEUE_CATEGORY, queueStream } from './queue/queue.stream.js';
import { resourceDecider } from './resource/resource.decider.js';
import { RESOURCE_EVENTS } from './resource/resource.events.js';
import { RESOURCE_CATEGORY, resourceStream } from './resource/resource.stream.js';
import { systemDecider } from './system/system.decider.js';
import { SYSTEM_EVENTS } from './system/system.events.js';
import { SYSTEM_CATEGORY, systemStream } from './system/system.stream.js';
import { taskDecider } from './task/task.decider.js';
import { TASK_EVENTS } from './task/task.events.js';
import { TASK_CATEGORY, taskStream } from './task/task.stream.js';
import { triggerDecider } from './trigger/trigger.decider.js';
import { TRIGGER_EVENTS } from './trigger/trigger.events.js';
import { TRIGGER_CATEGORY, triggerStream } from './trigger/trigger.stream.js';
import { viewDecider } from './view/view.decider.js';
import { VIEW_EVENTS } from './view/view.events.js';
import { VIEW_CATEGORY, viewStream } from './view/view.stream.js';

/**
 * Every kind of aggregate, by the category that begins the names of its streams. A record by category in another layer
 * is total, so that a kind that lacks there does not compile.
 */
export const AGGREGATES = {
  [TASK_CATEGORY]: aggregate({
    events: TASK_EVENTS,
    decider: taskDecider,
    streamOf: taskStream,
    concerns: 'others',
  }),
  [QUEUE_CATEGORY]: aggregate({
    events: QUEUE_EVENTS,
    decider: queueDecider,
    streamOf: queueStream,
    concerns: 'others',
  }),
  [CONSUMER_CATEGORY]: aggregate({
    events: CONSUMER_EVENTS,
    decider: consumerDecider,
    streamOf: consumerStream,
    concerns: 'itself',
  }),
  [TRIGGER_CATEGORY]: aggregate({
    events: TRIGGER_EVENTS,
    decider: triggerDecider,
    streamOf: triggerStream,
    concerns: 'itself',
  }),
  [HOLD_CATEGORY]: aggregate({
    events: HOLD_EVENTS,
    decider: holdDecider,
    streamOf: holdStream,
    concerns: 'itself',
  }),
  [RESOURCE_CATEGORY]: aggregate({
    events: RESOURCE_EVENTS,
    decider: resourceDecider,
    streamOf: resourceStream,
    concerns: 'itself',
  }),
  [SYSTEM_CATEGORY]: aggregate({
    events: SYSTEM_EVENTS,
    decider: systemDecider,
    streamOf: systemStream,
    concerns: 'itself',
  }),
  [BATCH_CATEGORY]: aggregate({
    events: BATCH_EVENTS,
    decider: batchDecider,
    streamOf: batchStream,
    concerns: 'others',
  }),
  [ATTENDANCE_CATEGORY]: aggregate({
    events: ATTENDANCE_EVENTS,
    decider: attendanceDecider,
    streamOf: attendanceStream,
    concerns: 'itself',
  }),
  [BUILD_CATEGORY]: aggregate({
    events: BUILD_EVENTS,
    decider: buildDecider,
    streamOf: buildStream,
    concerns: 'itself',
  }),
  [FAILURE_CATEGORY]: aggregate({
    events: FAILURE_GROUP_EVENTS,
    decider: failureGroupDecider,
    streamOf: failureGroupStream,
    concerns: 'itself',
  }),
  [NOTARY_CATEGORY]: aggregate({
    events: NOTARY_EVENTS,
    decider: notaryDecider,
    streamOf: notaryStream,
    concerns: 'itself',
  }),
  [VIEW_CATEGORY]: aggregate({
    events: VIEW_EVENTS,
    decider: viewDecider,
    streamOf: viewStream,
    concerns: 'itself',
  }),
};

export type Category = keyof typeof AGGREGATES;

export const CATEGORIES = Object.keys(AGGREGATES) as readonly Category[];

/** The beginning of a stream's name. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** How long the part of a stream's name is that stands before the id. */
const PREFIXES: ReadonlyMap<string, number> = new Map(CATEGORIES.map((c) => [c, AGGREGATES[c].streamOf('').length]));

/** The id or the name of the stream's aggregate, as callers know it. */
export const idOfStream = (stream: string): string => {
  const category = categoryOf(stream);
  return stream.slice(PREFIXES.get(category) ?? category.length + 1);
};

const NO_RESERVATION_NEEDED: ReadonlySet<string> = new Set(
  CATEGORIES.filter((category) => AGGREGATES[category].concerns === 'itself'),
);

/** Whether appends to the stream may have conditions on more than its revision. */
export const concernsOthers = (stream: string): boolean => !NO_RESERVATION_NEEDED.has(categoryOf(stream));
