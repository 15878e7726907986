/** Members that work in turn: first all arrive, and then each has its turn after those who asked before it. */
export class Turns {
  private begin: () => void = () => undefined;
  private last = new Promise<void>((resolve) => {
    this.begin = resolve;
  });
  private asked = 0;
  private failure: Promise<never> | null = null;

  constructor(readonly members: number) {}

  /** Works in the next turn. A member asks again once it has had its turn. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(() => this.failure ?? work());
    this.last = mine.then(nothing, nothing);
    this.asked += 1;
    // Nobody has had a turn before all have asked.
    if (this.asked === this.members) this.begin();
    return mine;
  }

  /** A member has failed: the turns that others still wait for reject with its error. */
  end(error: unknown): void {
    this.failure ??= Promise.reject(error);
    this.failure.catch(nothing);
    this.begin();
  }
}

const nothing = (): void => undefined;
