import type { BatchDetails } from '@waybill/contracts';

type OpenTasks = BatchDetails['openTasks'][number];

/** As people type the commands. */
const VERBS: Readonly<Record<string, string>> = {
  SubmitTask: 'submit',
  ReleaseTask: 'release',
  RetryTask: 'retry',
  DecideRetry: 'decide retry',
  DecideFail: 'decide fail',
  OverruleTask: 'overrule',
  AbortTask: 'abort',
};

/** Open tasks of a batch and the commands that end them: `2 held of mail: release or abort`. */
export function openTasks({ tasks, stateName, queue, commands }: OpenTasks): string {
  const verbs = commands.map((command) => VERBS[command] ?? command);
  return `${tasks} ${stateName} of ${queue}${verbs.length === 0 ? '' : `: ${verbs.join(' or ')}`}`;
}
