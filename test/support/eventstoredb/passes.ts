/** Often enough for a run of commands, and seldom enough that a test of one thing rarely meets it. */
export const breaksEveryIn = ({ FIXTURE_BREAKS_EVERY = '100' }: NodeJS.ProcessEnv): number =>
  Number(FIXTURE_BREAKS_EVERY);

/**
 * Servers from 24.2 to 24.10.4, and 25.0.0, may send a checkpoint that lies after an event which they send later. If the
 * connection breaks between, whoever goes on after the checkpoint never gets that event.
 */
export class Passes {
  /** How many events came after their checkpoint, and for how many the connection broke between. */
  passed = 0;
  broken = 0;

  constructor(
    /** Whether the release does so. */
    private readonly does: boolean,
    /** For every so many of them, the connection breaks; never if 0. */
    private readonly breaksEvery = breaksEveryIn(process.env),
  ) {}

  /** What befalls the next event of a filtered subscription that has caught up. */
  next(): 'in order' | 'passed' | 'broken' {
    if (!this.does) return 'in order';
    this.passed += 1;
    if (this.breaksEvery === 0 || this.passed % this.breaksEvery > 0) return 'passed';
    this.broken += 1;
    return 'broken';
  }
}
