import { useNavigate, useSearch } from '@tanstack/react-router';

/** The moment that the page stands at, as its address has it: a time or a position; undefined for now. */
export const useMoment = (): string | undefined => useSearch({ strict: false }).at;

/** Goes to another moment of the same page. One that the bar passes replaces the last one in the history of the browser. */
export function useGo(): (at: string | undefined, isPassing?: boolean) => void {
  const navigate = useNavigate();
  return (at, isPassing = false) =>
    void navigate({ to: '.', search: (search: object) => ({ ...search, at }), replace: isPassing });
}
