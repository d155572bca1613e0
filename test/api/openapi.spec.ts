import { fakeApplication, type FakeApplication } from './fake-application.js';

const OPERATIONS = `
  defineQueue listQueues getQueue deleteQueue getPolicy changePolicy setLimit unsetLimit listLimits pauseQueue resumeQueue closeIntake openIntake
  finishQueue reopenQueue getQueueStats tallyQueue getQueueWaits getRetention listFailedTasks enqueueTask enqueueTasks listTasks suggestTerms getTask getTaskPayload getTaskExplanation getTaskWait getTaskHistory
  submitTask holdTask releaseTask retryTask getTaskLineage getTaskResult getTaskLog createFollowToken followTask listResults getTaskProof getErasureCertificate exportLog listOverlaps listBulkOperations getBulkOperation undoBulkOperation runTaskAgain decideTask cancelTask abortTask prioritiseTask rescheduleTask amendTask annotateTask signalTask recordData arrangeTask
  getTaskGraph createBatch openBatch releaseBatch requestReport rerunBatch abortBatch deleteBatch listBatches getBatch
  listBatchReports tallyBatch getBatchGraph startBulkOperation startErasure startDelivery
  getSystem getLog acceptLoss listLogKeys retireLogKey listSeals getDrain drainSystem resumeSystem defineTrigger listTriggers getTrigger deleteTrigger enableTrigger disableTrigger fireTrigger replayTrigger takeDelivery
  listFailureGroups getFailureGroup resolveFailureGroup ignoreFailureGroup reopenFailureGroup placeHold listHolds getHold liftHold saveView listViews deleteView defineResource listResources getResource deleteResource measureResource
  overruleTask deleteTask claimTasks succeedTask failTask completeStep reportError returnTask waitTask confirmCancel cancelRun startTask extendLease
  settleTasks takeTurn extendLeases checkLeases runTransaction previewCommand readEvents followEvents getQueueHistory getBatchHistory getTriggerHistory getHoldHistory getResourceHistory getSystemHistory listActivity listChanges sumChanges followChanges listPolicyVersions diffPolicyVersions blamePolicy listQueueStats listWorkers listProjections rebuildProjection listApiKeys whoAmI isLive isReady readMetrics`;

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
}

let api: FakeApplication;
let document: {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, any> };
};
let operations: Operation[];

beforeAll(async () => {
  api = await fakeApplication();
  document = (await api.app.inject('/openapi.json')).json();
  operations = Object.values(document.paths).flatMap((path) => Object.values(path));
});
afterAll(() => api.app.close());

it('names every operation once', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(OPERATIONS.trim().split(/\s+/).sort());
});

it('describes every operation and gives it a tag', () => {
  for (const { operationId, summary, tags } of operations) {
    expect([operationId, summary, tags]).toEqual([operationId, expect.stringMatching(/^\w.+/), [expect.any(String)]]);
  }
});

it('declares every refusal as a problem document', () => {
  for (const { operationId, responses } of operations) {
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    for (const [status, { content }] of refusals) {
      expect([operationId, status, Object.keys(content ?? {})]).toEqual([
        operationId,
        status,
        ['application/problem+json'],
      ]);
    }
    if (operationId !== 'isLive') expect([operationId, refusals.length > 0]).toEqual([operationId, true]);
  }
});

it('declares the answers to an invalid body', () => {
  const withBodies = operations.filter(({ requestBody }) => requestBody);
  expect(withBodies.length).toBeGreaterThan(20);
  for (const { operationId, responses } of withBodies) {
    expect([operationId, Object.keys(responses)]).toEqual([
      operationId,
      expect.arrayContaining(['400', '413', '415', '500', '503']),
    ]);
  }
});

it('closes every request to unknown members', () => {
  // What others sign has the members that they choose.
  const requests = operations
    .filter(({ operationId }) => operationId !== 'takeDelivery')
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const names = requests.map(({ schema }) => (schema as { $ref?: string }).$ref?.split('/').at(-1));
  expect(names).toContain('EnqueueMany');
  for (const name of names)
    expect([name, document.components.schemas[name!]?.additionalProperties]).toEqual([name, false]);
});

it('refers only to existing components', () => {
  const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w*)/g)].map(([, name]) => name!);
  expect(references.length).toBeGreaterThan(50);
  expect(references.filter((name) => !(name in document.components.schemas))).toEqual([]);
});

it('has examples of submissions', () => {
  const { properties } = document.components.schemas.TaskSubmission;
  expect(properties.payload.example).toEqual({ to: 'ann@example.com' });
  expect(properties.key.example).toBe('customer-17');
});

it('names the verdicts for generators by their values, not by their classes', () => {
  expect(document.components.schemas.SettleItem.properties.verdict.discriminator.mapping.succeed).toBe(
    '#/components/schemas/SucceedVerdict',
  );
});
