import type { TaskSummary } from '@waybill/client';

type Named = Pick<TaskSummary, 'reference' | 'key' | 'description' | 'kind' | 'id'>;

/** What people know a task by: its reference, else its description, its key, or its kind. */
export const titleOf = ({ reference, description, key, kind }: Named): string =>
  reference ?? description ?? key ?? kind;
