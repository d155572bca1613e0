/** The groups of failures that there are. */
export abstract class KnownFailureGroups {
  /** Whether a task or an attempt has failed like this, as far as that is known yet. */
  abstract has(group: string): Promise<boolean>;
}
