import { isConnectionError } from '../../../src/application/kernel/connection-errors.js';
import { Refused } from '../../../src/application/kernel/application-error.js';
import { StreamContentionError } from '../../../src/application/kernel/stream-command.js';
import { EventStoreUnavailable } from '../../../src/application/kernel/event-store.port.js';

/** Where a piece of work stands still: before an append is made, or for the index to go on. */
export type Place = 'append' | 'index';

/** `lost`: an append that never comes; `unanswered`: one that is made, and not answered. */
export type Fate = 'made' | 'lost' | 'unanswered';

interface Stand {
  readonly place: Place;
  readonly goOn: (fate: Fate) => void;
}

/** Work of a process of its own, which goes from one place where it stands still to the next. */
export class Actor {
  readonly stands: Stand[] = [];
  over = false;
  /** What it ended with that no caller is to meet. */
  error: unknown = null;

  constructor(readonly words: string) {}

  get place(): Place | null {
    return this.stands[0]?.place ?? null;
  }
}

/** One actor moves at a time, so that what happens follows from the order of the steps alone. */
export class Stage {
  readonly actors: Actor[] = [];
  private moving: Actor | null = null;
  private stopped: () => void = () => undefined;

  get standing(): readonly Actor[] {
    return this.actors.filter(({ over }) => !over);
  }

  /** Resolves when the work stands still for the first time, or is over. */
  async start(words: string, work: () => Promise<unknown>): Promise<Actor> {
    const actor = new Actor(words);
    this.actors.push(actor);
    await this.move(actor, () => void this.play(actor, work));
    return actor;
  }

  /** Resolves when the actor stands still again, or is over. */
  async goOn(actor: Actor, fate: Fate): Promise<void> {
    await this.move(actor, () => {
      for (const { goOn } of actor.stands.splice(0)) goOn(fate);
    });
  }

  /** What stands still calls this; whatever belongs to no actor goes on at once. */
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

/** Callers are told of a refusal, or to come again. */
const isExpected = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable ||
  error instanceof StreamContentionError ||
  error instanceof Refused ||
  isConnectionError(error);
