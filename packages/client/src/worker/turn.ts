import type { ClaimedTask, TurnRequest, TurnResult } from '@waybill/contracts';
import { WaybillError } from '../problems.js';
import { ENOUGH_RUN } from '../retry.js';

/** What a claim sends that goes with settlements. */
export interface TurnClaim {
  readonly queue: string;
  readonly request: Omit<TurnRequest, 'items'>;
}

/** The request was refused as a whole, or the service knows no turns: nothing was claimed. */
export class NoTurn extends Error {}

/** A claim of one queue that goes with the settlements of a worker, in one request. */
export class Turn {
  /** What to claim; null if its queue claims nothing any more. */
  readonly claim: Promise<TurnClaim | null>;
  private ask!: (claim: TurnClaim | null) => void;
  private readonly answered: Promise<readonly ClaimedTask[]>;
  private resolve!: (tasks: readonly ClaimedTask[]) => void;
  /** Ends the claim with an error, after which it may be made alone. */
  fail!: (error: unknown) => void;

  constructor() {
    this.claim = new Promise((resolve) => (this.ask = resolve));
    this.answered = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.fail = reject;
    });
    // Whoever claims nothing does not listen.
    this.answered.catch(() => undefined);
  }

  /** Resolves with the tasks. Throws as a claim does, or `NoTurn`. */
  take(claim: TurnClaim): Promise<readonly ClaimedTask[]> {
    this.ask(claim);
    return this.answered;
  }

  decline(): void {
    this.ask(null);
  }

  /** A claim that is refused because enough tasks run is one without tasks, as if the queue limited them. */
  answer({ tasks, problem }: Pick<TurnResult, 'tasks' | 'problem'>): void {
    if (problem && problem.code !== ENOUGH_RUN) this.fail(new WaybillError(problem));
    else this.resolve(tasks);
  }
}
