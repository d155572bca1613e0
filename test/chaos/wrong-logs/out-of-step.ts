import type { Invariant } from '../../support/history-checker.js';
import { ALICE, Book, BOB, QUEUE } from '../book.js';

const STEPS = ['cut', 'glue'];
const LABELS = { labels: { of: 'maps' } };
const NEEDS = { steps: [{ name: 'cut', needs: [{ resource: 'disk', below: 80 }] }] };

class Gated extends Book {
  hold(type: 'HoldPlaced' | 'HoldLifted'): this {
    const { labels } = LABELS;
    this.record('hold-named-h', type, {
      hold: 'h',
      by: 'ann',
      at: '',
      ...(type === 'HoldPlaced' && { selector: { labels } }),
    });
    return this;
  }

  defined(): this {
    const definition = { description: '', unit: null, staleAfterSeconds: 60 };
    this.record('resource-named-disk', 'ResourceDefined', { resource: 'disk', definition, by: 'ann', at: '' });
    return this;
  }

  measured(type: 'ResourceShort' | 'ResourceFree', value: number): this {
    const at = new Date(Date.parse(this.events.at(-1)!.recordedAt) + 1_000).toISOString();
    this.record('resource-named-disk', type, { resource: 'disk', value, limits: [80], at });
    return this;
  }

  /** Claims the task at a step, which the book's claims do not name. */
  claimAt(step: string): this {
    this.claim(ALICE, 'w');
    Object.assign(this.events.at(-1)!.event.data as object, { step });
    return this;
  }

  completed(step: string, next: string | undefined, then = 'offer'): this {
    const { attempt, token, worker } = this.events.findLast(({ event }) => event.type === 'TaskClaimed')!.event
      .data as never;
    this.record(`task-${ALICE}`, 'TaskStepCompleted', {
      queue: QUEUE,
      attempt,
      token,
      worker,
      ranMs: 1_000,
      step,
      then,
      ...(next && { next }),
    });
    return this;
  }
}

const stepped = (): Gated => new Gated().enqueue(ALICE, 'a', undefined, { steps: STEPS });
const held = (): Gated => new Gated().hold('HoldPlaced').enqueue(ALICE, 'a', undefined, LABELS);
const short = (): Gated =>
  new Gated(NEEDS).measured('ResourceShort', 90).enqueue(ALICE, 'a', undefined, { steps: ['cut'] });

/** I19 to I21. */
export const OUT_OF_STEP: readonly (readonly [says: string, finds: Invariant, history: () => Book])[] = [
  ['a task that begins with its second step', 'I19', () => stepped().claimAt('glue')],
  ['a task that goes on at another step than the next', 'I19', () => stepped().claimAt('cut').completed('cut', 'cut')],
  ['a task that begins again', 'I19', () => stepped().claimAt('cut').completed('cut', 'glue').claimAt('cut')],
  [
    'a completion of another step than the next',
    'I19',
    () => stepped().claimAt('cut').completed('glue', undefined, 'finish'),
  ],
  ['a success before the last step', 'I19', () => stepped().claimAt('cut').succeed(ALICE)],
  ['a claim in spite of a hold', 'I20', () => held().claim(ALICE, 'w')],
  [
    'a claim of a held task',
    'I20',
    () => new Gated().enqueue(ALICE, 'a', undefined, { heldBy: { by: 'ann' } }).claim(ALICE, 'w'),
  ],
  ['a claim while a resource is short', 'I21', () => short().claimAt('cut')],
  [
    'a claim that needs what nobody has measured',
    'I21',
    () =>
      new Gated(NEEDS)
        .defined()
        .enqueue(ALICE, 'a', undefined, { steps: ['cut'] })
        .claimAt('cut'),
  ],
  ['a claim long before the resource is free', 'I21', () => short().claimAt('cut').measured('ResourceFree', 10)],
];

export const IN_STEP: readonly (readonly [says: string, history: () => Book])[] = [
  ['steps in their order', () => stepped().claimAt('cut').completed('cut', 'glue').claimAt('glue')],
  ['a claim after the hold is lifted', () => held().hold('HoldLifted').claim(ALICE, 'w')],
  ['a claim of what the hold does not catch', () => held().enqueue(BOB, 'b').claim(BOB, 'w')],
  [
    'a claim of what was ready before the hold',
    () => new Gated().enqueue(ALICE, 'a', undefined, LABELS).hold('HoldPlaced').claim(ALICE, 'w'),
  ],
  [
    'a claim of a copy at a step that needs nothing',
    () =>
      new Gated(NEEDS)
        .measured('ResourceShort', 90)
        .enqueue(ALICE, 'a', undefined, { steps: STEPS, rerunOf: { task: BOB, step: 'glue' } })
        .claimAt('glue'),
  ],
  ['a claim once the resource is free', () => short().measured('ResourceFree', 10).claimAt('cut')],
];
