/** What an erasure can be of, and the event that records it in the stream of each. */
export const ERASED_BY = { task: 'TaskErased', batch: 'BatchErased' } as const;

export type ErasedKind = keyof typeof ERASED_BY;

export const ERASED_KINDS = Object.keys(ERASED_BY) as readonly ErasedKind[];

/** Whether an event of this type says that the private halves of its stream are erased. */
export const isErasure = (type: string): boolean => TYPES.has(type);

const TYPES: ReadonlySet<string> = new Set(Object.values(ERASED_BY));
