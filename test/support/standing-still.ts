import { EventEmitter, once } from 'node:events';

/** A part of which one method stands still once it has its answer, until it may go on. */
export class StandingStill<T extends object> {
  private readonly events = new EventEmitter();
  /** Resolves when it stands. */
  readonly stands = once(this.events, 'stands');
  private readonly mayGo = once(this.events, 'goes');
  readonly part: T;

  constructor(of: T, method: keyof T) {
    this.part = new Proxy(of, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (name !== method || typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          const answer: unknown = await value.apply(target, given);
          this.events.emit('stands');
          await this.mayGo;
          return answer;
        };
      },
    });
  }

  goOn(): void {
    this.events.emit('goes');
  }
}
