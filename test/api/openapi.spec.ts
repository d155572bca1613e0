import { fakeApplication, type FakeApplication } from './fake-application.js';

const OPERATIONS = `
  defineQueue listQueues getQueue deleteQueue getPolicy changePolicy pauseQueue resumeQueue closeIntake openIntake
  finishQueue reopenQueue getQueueStats listFailedTasks enqueueTask enqueueTasks listTasks getTask getTaskHistory
  submitTask holdTask releaseTask retryTask decideTask cancelTask abortTask prioritiseTask rescheduleTask amendTask
  overruleTask deleteTask claimTasks succeedTask failTask completeStep reportError handBackTask confirmCancel extendLease
  settleTasks extendLeases readEvents followEvents listWorkers listProjections isLive isReady`;

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());

const document = async () => (await api.app.inject('/openapi.json')).json();

it('names every operation', async () => {
  const { openapi, paths } = await document();
  console.log(JSON.stringify(paths['/v1/queues/{queue}/tasks'], null, 1), JSON.stringify(paths['/v1/tasks'], null, 1));
  expect(openapi).toBe('3.1.0');
  const ids = Object.values(paths).flatMap((path) => Object.values(path as object).map(({ operationId }) => operationId));
  expect(ids.sort()).toEqual(OPERATIONS.trim().split(/\s+/).sort());
});
