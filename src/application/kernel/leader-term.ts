/** Names one term of one leader. Work that carries it is refused once somebody else has taken the role. */
export interface LeaderTerm {
  readonly role: string;
  /** Decimal. It grows with each term of the role. */
  readonly epoch: string;
}

/** Another process leads the role since. Nothing was done. */
export class TermOver extends Error {
  override readonly name = 'TermOver';
  constructor({ role, epoch }: LeaderTerm) {
    super(`Expected to lead '${role}' in term ${epoch}, but another process has taken over`);
  }
}
