import { ActivityController } from './activity.controller.js';
import { ApiKeysController } from './api-keys.controller.js';
import { BatchesController } from './batches.controller.js';
import { BulkOperationsController } from './bulk-operations.controller.js';
import { ChangeFeedController } from './change-feed.controller.js';
import { ChangesController } from './changes.controller.js';
import { ClaimsController } from './claims.controller.js';
import { DeliveriesController } from './deliveries.controller.js';
import { FailuresController } from './failures.controller.js';
import { FollowingController } from './following.controller.js';
import { HistoriesController } from './histories.controller.js';
import { HoldsController } from './holds.controller.js';
import { LineageController } from './lineage.controller.js';
import { LogController } from './log.controller.js';
import { LogExportController } from './log-export.controller.js';
import { MeController } from './me.controller.js';
import { RepetitionsController } from './repetitions.controller.js';
import { ResourcesController } from './resources.controller.js';
import { ResultsController } from './results.controller.js';
import { ErasuresController } from './erasures.controller.js';
import { EventsController } from './events.controller.js';
import { QueueLimitsController } from './queue-limits.controller.js';
import { QueuesController } from './queues.controller.js';
import { SettlementsController } from './settlements.controller.js';
import { SubmissionsController } from './submissions.controller.js';
import { SuggestionsController } from './suggestions.controller.js';
import { SystemController } from './system.controller.js';
import { TaskLogController } from './task-log.controller.js';
import { TaskCommandsController } from './task-commands.controller.js';
import { TasksController } from './tasks.controller.js';
import { TriggersController } from './triggers.controller.js';
import { TurnsController } from './turns.controller.js';
import { ViewsController } from './views.controller.js';

/** The controllers that declare operations, except the transaction's, whose declaration is made of theirs. */
export const CONTROLLERS = [
  QueuesController,
  QueueLimitsController,
  SubmissionsController,
  SuggestionsController,
  TasksController,
  ResultsController,
  FollowingController,
  TaskLogController,
  TaskCommandsController,
  RepetitionsController,
  LineageController,
  BatchesController,
  BulkOperationsController,
  ErasuresController,
  DeliveriesController,
  TriggersController,
  FailuresController,
  HoldsController,
  ResourcesController,
  ViewsController,
  ClaimsController,
  SettlementsController,
  TurnsController,
  EventsController,
  HistoriesController,
  ActivityController,
  ChangesController,
  ChangeFeedController,
  SystemController,
  LogController,
  LogExportController,
  ApiKeysController,
  MeController,
];
