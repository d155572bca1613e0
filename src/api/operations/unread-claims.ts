/**
 * Which claims are under way here, by claim id. A claim whose client left is given back, unless its client asks again:
 * then the repetition gets the tasks, or finds them returned. A repetition in another process within these milliseconds
 * may get tasks that are then returned; their tokens are refused.
 */
export class UnreadClaims {
  private readonly underWay = new Map<string, number>();
  private readonly givingBack = new Map<string, Promise<void>>();

  async during<T>(claimId: string, claim: () => Promise<T>): Promise<T> {
    await this.givingBack.get(claimId);
    this.underWay.set(claimId, (this.underWay.get(claimId) ?? 0) + 1);
    try {
      return await claim();
    } finally {
      const left = this.underWay.get(claimId)! - 1;
      if (left > 0) this.underWay.set(claimId, left);
      else this.underWay.delete(claimId);
    }
  }

  async giveBack(claimId: string, give: () => Promise<unknown>): Promise<void> {
    if (this.underWay.has(claimId) || this.givingBack.has(claimId)) return;
    const given = give().then(() => undefined);
    // Whoever repeats the claim then only waits for the end.
    const ended = given.catch(() => undefined).finally(() => this.givingBack.delete(claimId));
    this.givingBack.set(claimId, ended);
    await given;
  }
}
