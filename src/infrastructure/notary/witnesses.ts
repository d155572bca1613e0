import { Logger } from '@nestjs/common';
import type { Checkpoint } from '../../domain/seals/checkpoint.js';
import type { NoteSignature, SignedNote } from '../../domain/seals/note.js';
import type { Witness } from './witness.js';

/** A witness knows another log under this name, or another past of it. */
export class WitnessRefused extends Error {
  override readonly name = 'WitnessRefused';
}

/** All who cosign the seals of this log. */
export class Witnesses {
  private readonly logger = new Logger('Witnesses');
  /** Why a witness is away, by its name, so that nothing is said twice. */
  private readonly away = new Map<string, string>();

  constructor(private readonly all: readonly Pick<Witness, 'key' | 'cosign'>[]) {}

  /** Whether all have signed it. */
  isWhole = (note: SignedNote): boolean => this.lackingIn(note).length === 0;

  /** Signatures of those that have not signed the seal yet, as far as they are there. Throws `WitnessRefused` if one refuses. */
  async cosign(seal: Checkpoint, note: SignedNote): Promise<readonly NoteSignature[]> {
    const lacking = this.lackingIn(note);
    const answers = await Promise.all(lacking.map((witness) => witness.cosign(seal, note)));
    return answers.flatMap((answer, at) => {
      const { name } = lacking[at]!.key;
      if (answer.kind === 'refuses') throw new WitnessRefused(`the witness '${name}' refuses the seal: ${answer.why}`);
      this.say(name, answer.kind === 'away' ? answer.why : null);
      return answer.kind === 'cosigned' ? [answer.signature] : [];
    });
  }

  private lackingIn({ signatures }: SignedNote) {
    return this.all.filter(({ key }) => !signatures.some(({ name, keyId }) => name === key.name && keyId === key.id));
  }

  private say(name: string, why: string | null): void {
    if ((this.away.get(name) ?? null) === why) return;
    if (why === null) this.away.delete(name);
    else {
      this.away.set(name, why);
      this.logger.warn(`Expected the witness '${name}' to cosign the seal, but ${why}; seals go on without its line.`);
    }
  }
}
