export const SEARCHES_FOR = 'A page, a queue, a batch, or a task by id, reference or key';

export interface SearchProps {
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly onClose: () => void;
}
