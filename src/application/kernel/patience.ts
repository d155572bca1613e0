/** Most conflicts are with one other append, which is over by then. */
const AT_ONCE = 3;
/** Also if each takes long. */
const AT_LEAST = 5;
/** Less than clients wait for an answer. */
const PATIENCE_MS = 5_000;
/** So that those that meet again and again fall out of step. Short, because another process goes on meanwhile. */
const PAUSE_MS = 4;

/** How often something is tried again that others were faster at: a few times at once, then after short pauses for some seconds. */
export class Patience {
  private tries = 0;
  private until = 0;

  /** `most`: how many tries there are in all, if fewer. */
  constructor(private readonly most = Infinity) {}

  /** Whether to try again. Resolves when it is time for that. */
  async again(): Promise<boolean> {
    if (this.tries === 0) this.until = performance.now() + PATIENCE_MS;
    if (++this.tries >= this.most) return false;
    if (this.tries < AT_ONCE) return true;
    if (this.tries >= AT_LEAST && performance.now() > this.until) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
    return true;
  }
}
