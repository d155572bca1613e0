/** What a holder may have of what the others leave it. */
export type Share = (left: number, holder: string) => number;

/**
 * Half of what the others leave: one holder alone has half of the room, two have a third each, and something is left for
 * the next one, however many there are and however much each of them wants.
 */
export const halfOfTheRest = (left: number): number => left / 2;

/** As much as is there, up to a fixed amount. */
export const upTo =
  (most: number): Share =>
  (left) =>
    Math.min(most, left);

/** Why there is no place: the room is full, or the holder has its share of it. */
export type Lack = 'room' | 'share';

/** A room that is as good as full: newcomers find little or nothing. */
const CROWDED = 7 / 8;

/** Room that holders share in bytes or places, so that none of them can take it from the others. */
export class FairRoom {
  private taken = 0;
  private refused = 0;
  private readonly byHolder = new Map<string, number>();

  constructor(
    readonly most: number,
    private readonly share: Share = halfOfTheRest,
  ) {}

  get inUse(): number {
    return this.taken;
  }

  get refusals(): number {
    return this.refused;
  }

  get isCrowded(): boolean {
    return this.taken >= this.most * CROWDED;
  }

  heldBy(holder: string): number {
    return this.byHolder.get(holder) ?? 0;
  }

  /** What there is no place for; null if there is. An empty room takes anything, so that what is larger passes alone. */
  lackFor(holder: string, amount: number): Lack | null {
    if (this.taken === 0) return null;
    if (this.taken + amount > this.most) return 'room';
    const held = this.heldBy(holder);
    return held + amount > this.share(this.most - this.taken + held, holder) ? 'share' : null;
  }

  /** Takes the place, or counts a refusal and says why there is none. */
  take(holder: string, amount: number): Lack | null {
    const lack = this.lackFor(holder, amount);
    if (lack) this.refused++;
    else this.spend(holder, amount);
    return lack;
  }

  /** Takes the place even if there is none, for something that is in the room already. */
  spend(holder: string, amount: number): void {
    this.taken += amount;
    this.byHolder.set(holder, this.heldBy(holder) + amount);
  }

  giveBack(holder: string, amount: number): void {
    this.taken -= amount;
    const left = this.heldBy(holder) - amount;
    if (left > 0) this.byHolder.set(holder, left);
    else this.byHolder.delete(holder);
  }
}
