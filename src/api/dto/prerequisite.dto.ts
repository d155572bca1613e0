import { Closed, Flag, Parts, Uuid, Uuids } from '../input/fields.js';
import { Limits } from './limits.js';
import { ReasonRequest } from './reason.dto.js';

/** Names a task or a batch, and not both. */
@Closed()
export class Prerequisite {
  @Uuid({ optional: true, description: 'The task that must succeed first. Either `task` or `batch` is set.' })
  task?: string;

  @Uuid({ optional: true, description: 'The batch that must be completed first.' })
  batch?: string;

  @Flag({
    optional: true,
    description: 'Whether an abort of the prerequisite counts as done. If not, this task is aborted with it.',
  })
  ignore?: boolean;
}

@Closed()
export class PrerequisitesRequest extends ReasonRequest {
  @Parts(() => Prerequisite, { min: 0, max: Limits.prerequisites, optional: true })
  add?: Prerequisite[];

  @Uuids({
    max: Limits.prerequisites,
    optional: true,
    description: 'The ids of tasks and batches that the task need no longer wait for.',
  })
  waive?: string[];
}
