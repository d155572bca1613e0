/** Two rounds of FNV-1a with different beginnings, mixed at the end, because ids differ in few characters. */
export function hashOf(text: string): readonly [high: number, low: number] {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return [mixed(high), mixed(low ^ (high >>> 7))];
}

function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 16);
  mix = Math.imul(mix, 0x7feb352d);
  mix ^= mix >>> 15;
  return Math.imul(mix, 0x846ca68b) >>> 0;
}
