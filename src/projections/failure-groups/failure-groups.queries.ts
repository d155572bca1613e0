import { SumFailureGroupsHandler } from './failure-group-figures.query.js';
import { GetFailureGroupHandler } from './get-failure-group.query.js';
import { ListFailureGroupsHandler } from './list-failure-groups.query.js';
import { WhatPreceded } from './what-preceded.js';

/** For the query bus. */
export const FAILURE_GROUP_QUERIES = [
  GetFailureGroupHandler,
  ListFailureGroupsHandler,
  SumFailureGroupsHandler,
  WhatPreceded,
];
