import { expect } from '@jest/globals';
import { until } from '../until.js';

type Answer = Readonly<Record<string, unknown>>;

/** What paths answered while the log ended at a position. */
export interface Remembered {
  readonly position: string;
  readonly paths: readonly string[];
  readonly answers: readonly Answer[];
}

const text = (answers: readonly Answer[], untold: readonly string[]): string =>
  JSON.stringify(answers, (name, value: unknown) => (untold.includes(name) ? null : value));

/** Asks a service for answers, and later for the same as of then. */
export class Memory {
  constructor(private readonly url: string) {}

  /** What the paths answer between two events. Reads again if something is recorded meanwhile. `untold`: members that change with the clock alone. */
  remember(paths: readonly string[], untold: readonly string[] = []): Promise<Remembered> {
    return until('answers between two events', async () => {
      const position = await this.head();
      const [answers, again] = [await this.present(paths, position), await this.present(paths, position)];
      // With the events elsewhere, a model may be ahead of the head that is told.
      const isQuiet = text(again, untold) === text(answers, untold) && (await this.head()) === position;
      return isQuiet ? { position, paths, answers } : null;
    });
  }

  /** Expects that each answer is given again as of its position, but for members that no event tells. */
  async expectAgain(remembered: readonly Remembered[], untold: readonly string[] = []): Promise<void> {
    const told = (answers: readonly Answer[]): unknown => JSON.parse(text(answers, untold));
    for (const one of remembered)
      expect([one.position, told(await this.again(one))]).toEqual([one.position, told(one.answers)]);
  }

  async head(): Promise<string> {
    return (await fetch(`${this.url}/v1/events?limit=1`)).headers.get('x-as-of-position')!;
  }

  private async present(paths: readonly string[], position: string): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const path of paths) answers.push(await this.get(path, `minPosition=${position}`));
    return answers;
  }

  private async again({ position, paths }: Remembered): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const path of paths) {
      const { asOf, ...answer } = await this.get(path, `asOf=${position}`);
      expect(asOf).toMatchObject({ position });
      answers.push(answer);
    }
    return answers;
  }

  private get(path: string, more: string): Promise<Answer> {
    return until(`an answer of ${path}`, async () => {
      const answer = await fetch(`${this.url}${path}${path.includes('?') ? '&' : '?'}${more}`);
      if (answer.status === 503) return null;
      expect([path, more, answer.status]).toEqual([path, more, 200]);
      return (await answer.json()) as Answer;
    });
  }
}
