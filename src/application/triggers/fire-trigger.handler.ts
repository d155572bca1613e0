import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { type EnqueueOutcome, EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { TriggerCommands } from './trigger-commands.js';
import { TriggerStates } from './trigger-states.port.js';

/** Makes a trigger's task now, whatever its pattern says. Repeated with the same task id, it has no further effect. */
export class FireTrigger extends Command<Extract<EnqueueOutcome, { readonly kind: 'done' }>> {
  constructor(
    readonly name: string,
    /** Null to have one generated. */
    readonly taskId: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(FireTrigger)
export class FireTriggerHandler implements ICommandHandler<FireTrigger> {
  constructor(
    private readonly commands: CommandBus,
    private readonly triggers: TriggerCommands,
    private readonly states: TriggerStates,
    private readonly clock: Clock,
  ) {}

  async execute({ name, taskId, context }: FireTrigger) {
    const trigger = await this.states.named(name);
    if (!trigger) throw new Refused({ code: 'TRIGGER_NOT_FOUND', trigger: name });
    const item = { ...trigger.state.definition.task, taskId };
    const [outcome] = await this.commands.execute(new EnqueueTasks([item], context));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    const at = this.clock.iso();
    const firing = { occurrence: at, task: outcome!.receipt.id };
    await this.triggers.runOn(trigger, () => ({ type: 'RecordManualFiring', trigger: name, firing, at }), context);
    return outcome!;
  }
}
