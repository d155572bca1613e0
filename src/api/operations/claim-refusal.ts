import type { ClaimRefusal } from '../../application/claims/claim-tasks.handler.js';

/** Why a claim got no tasks, or fewer: a code to branch on, a sentence for people, and the facts. */
export type RefusalView = { readonly detail: string } & ClaimRefusal;

export const refusalView = (queue: string, refusal: ClaimRefusal): RefusalView => ({
  detail: detailOf(queue, refusal),
  ...refusal,
});

function detailOf(queue: string, refusal: ClaimRefusal): string {
  switch (refusal.code) {
    case 'QUEUE_HELD': {
      const { worker, server, taskId, until } = refusal.consumer;
      return (
        `Expected to be the only consumer of queue '${queue}', ` +
        `but worker '${worker}' on server '${server}' works on task '${taskId}' until ${until}`
      );
    }
    case 'QUEUE_CONFLICTED': {
      const tasks = refusal.running.map(({ taskId, worker }) => `'${taskId}' of worker '${worker}'`);
      return `Expected only one task of the serial queue '${queue}' to run, but several do: ${tasks.join(', ')}`;
    }
    case 'SERVER_FULL':
      return `Expected server '${refusal.server}' to have room for queue '${queue}', but it runs ${refusal.running} of its tasks`;
    case 'LABEL_FULL':
      return `Expected room for a task of queue '${queue}' ${withValue(refusal)}, but ${refusal.most} of these are running`;
    case 'RATE_REACHED':
      return `Expected the rates of queue '${queue}' to allow another start, but they do so in ${refusal.afterMs} ms, at ${refusal.until}`;
    case 'HOLDER_FULL':
      return `Expected at most ${refusal.most} tasks to run for the API key '${refusal.holder}', but ${refusal.running} do`;
    case 'QUEUE_FULL':
      return `Expected room for another task of queue '${queue}', but ${refusal.running} of its tasks are running`;
  }
}

const withValue = ({ label, labelValue }: Extract<ClaimRefusal, { readonly code: 'LABEL_FULL' }>): string =>
  labelValue === null ? `without the label '${label}'` : `with the label '${label}: ${labelValue}'`;
