import { ClaimsController } from './claims.controller.js';
import { EventsController } from './events.controller.js';
import { QueuesController } from './queues.controller.js';
import { SettlementsController } from './settlements.controller.js';
import { SubmissionsController } from './submissions.controller.js';
import { SystemController } from './system.controller.js';
import { TaskCommandsController } from './task-commands.controller.js';
import { TasksController } from './tasks.controller.js';

/** Those that declare operations, beside the transaction, which contains some of them. */
export const CONTROLLERS = [
  QueuesController,
  SubmissionsController,
  TasksController,
  TaskCommandsController,
  ClaimsController,
  SettlementsController,
  EventsController,
  SystemController,
];
