/** Work whose result many need at once. Those who ask while it is under way share the next one, which begins after they asked. */
export class SharedCall<T> {
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  ask(): Promise<T> {
    return (this.next ??= this.begin());
  }

  private async begin(): Promise<T> {
    await this.current;
    this.next = null;
    const result = this.work();
    this.current = result.catch(() => undefined);
    return result;
  }
}
