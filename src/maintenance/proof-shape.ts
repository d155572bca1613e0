import type { PrivateHalf, SegmentProof } from '../projections/seals/log-proofs.port.js';

/** Whether what a file has is a segment with its proof. What stands in its texts is not checked. */
export const isSegment = (value: unknown): value is SegmentProof => {
  const { position, leaf, text, proof, private: halves } = (value ?? {}) as Record<string, unknown>;
  return [position, leaf, text, proof].every((one) => typeof one === 'string') && isHalves(halves);
};

/** Whether what a file has are private halves. */
export const isHalves = (value: unknown): value is readonly PrivateHalf[] =>
  Array.isArray(value) &&
  value.every((one: unknown) => {
    const { event, salt, half } = (one ?? {}) as Record<string, unknown>;
    return Number.isSafeInteger(event) && typeof salt === 'string' && typeof half === 'string';
  });
