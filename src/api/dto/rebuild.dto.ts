import { REBUILD_MODES, type RebuildMode } from '../../application/rebuilds/model-rebuild.js';
import { Choice, Closed } from '../input/fields.js';
import { ReasonRequest } from './reason.dto.js';

@Closed()
export class RebuildRequest extends ReasonRequest {
  @Choice(REBUILD_MODES, {
    description:
      '`diff` tells which rows differ from the log, and changes nothing. `switch` takes the rebuilt rows into use, and keeps those that were in use for a day. `back` takes these again.',
  })
  mode!: RebuildMode;
}
