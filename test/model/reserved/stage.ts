import { isConnectionError } from '../../../src/application/kernel/connection-errors.js';
import { Refused } from '../../../src/application/kernel/application-error.js';
import { StreamContentionError } from '../../../src/application/kernel/stream-command.js';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';

/** Where an actor stops: before an append is made, or waiting for the index. */
export type Place = 'append' | 'index';

/** `lost`: an append that never arrives. `unanswered`: one that is made, but not answered. */
export type Fate = 'made' | 'lost' | 'unanswered';

interface Stand {
  readonly place: Place;
  readonly goOn: (fate: Fate) => void;
}

/** The work of one process, which moves from one stop to the next. */
export class Actor {
  readonly stands: Stand[] = [];
  over = false;
  /** An unexpected error with which it ended. */
  error: unknown = null;

  constructor(readonly words: string) {}

  get place(): Place | null {
    return this.stands[0]?.place ?? null;
  }
}

/** Moves one actor at a time, so that the outcome depends only on the order of the steps. */
export class Stage {
  readonly actors: Actor[] = [];
  private moving: Actor | null = null;
  private stopped: () => void = () => undefined;

  get standing(): readonly Actor[] {
    return this.actors.filter(({ over }) => !over);
  }

  /** Resolves when the work stops for the first time, or ends. */
  async start(words: string, work: () => Promise<unknown>): Promise<Actor> {
    const actor = new Actor(words);
    this.actors.push(actor);
    await this.move(actor, () => void this.play(actor, work));
    return actor;
  }

  /** Resolves when the actor stops again, or ends. */
  async goOn(actor: Actor, fate: Fate): Promise<void> {
    await this.move(actor, () => {
      for (const { goOn } of actor.stands.splice(0)) goOn(fate);
    });
  }

  /** Called at every stop. Continues at once if no actor is moving. */
  pass(place: Place): Promise<Fate> {
    const actor = this.moving;
    if (!actor) return Promise.resolve('made');
    return new Promise((resolve) => {
      actor.stands.push({ place, goOn: resolve });
      this.stopped();
    });
  }

  private async play(actor: Actor, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isExpected(error)) actor.error = error;
    }
    actor.over = true;
    this.stopped();
  }

  private async move(actor: Actor, act: () => void): Promise<void> {
    this.moving = actor;
    const stopped = new Promise<void>((resolve) => (this.stopped = resolve));
    act();
    await stopped;
    this.moving = null;
    if (actor.error) throw new Error(`Expected '${actor.words}' to end well`, { cause: actor.error });
  }
}

/** Errors that callers may get: a refusal, or that they should try again later. */
const isExpected = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable ||
  error instanceof StreamContentionError ||
  error instanceof Refused ||
  isConnectionError(error);
