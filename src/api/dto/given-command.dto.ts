import { Instant, Text } from '../input/fields.js';
import { Position } from './answer.fields.js';
import { Limits } from './limits.js';

/** Where in the log a command is recorded, and who gave it, when and why. */
export class GivenCommand {
  @Position()
  position!: string;

  @Instant({})
  at!: string;

  @Text({ max: Limits.actor, example: 'ann' })
  by!: string;

  @Text({
    max: Limits.actor,
    optional: true,
    description: "The program or assistant that acted on the actor's behalf, as it said.",
  })
  agent?: string;

  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;
}
