/**
 * For an `LRUCache` of many entries: bounds them, and lets it grow with what it holds. `max` would take the memory of all when the cache is made:
 * 10,000 cost a millisecond, and a service has a dozen of them.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
