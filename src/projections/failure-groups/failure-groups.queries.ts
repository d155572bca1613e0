import { FailedThen } from '../kernel/failed-then.port.js';
import { SumFailureGroupsHandler } from './failure-group-figures.query.js';
import { GetFailureGroupAsOfHandler, ListFailureGroupsAsOfHandler } from './failure-groups-as-of.queries.js';
import { FailuresOfGroup } from './failures-of-group.js';
import { GetFailureGroupHandler } from './get-failure-group.query.js';
import { ListFailureGroupsHandler } from './list-failure-groups.query.js';
import { PastFailedTasks } from './past-failed-tasks.js';
import { PastGroups } from './past-groups.js';
import { WhatPreceded } from './what-preceded.js';

/** For the query bus. */
export const FAILURE_GROUP_QUERIES = [
  { provide: FailedThen, useClass: PastFailedTasks },
  FailuresOfGroup,
  GetFailureGroupAsOfHandler,
  GetFailureGroupHandler,
  ListFailureGroupsAsOfHandler,
  ListFailureGroupsHandler,
  PastGroups,
  SumFailureGroupsHandler,
  WhatPreceded,
];
