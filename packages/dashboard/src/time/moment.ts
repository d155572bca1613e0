import { useSearch } from '@tanstack/react-router';

/** The moment that the page stands at, as its address has it: a time or a position; undefined for now. */
export const useMoment = (): string | undefined => useSearch({ strict: false }).at;
