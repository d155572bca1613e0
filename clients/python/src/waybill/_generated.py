"""The operations and the shapes of Waybill's API. Generated from openapi.json by `npm run openapi`: do not edit."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict


class Operation(NamedTuple):
    """An operation of the API."""

    method: str
    path: str
    idempotency: Literal["key", "own", "either", "none"]
    """What identifies a repetition: an idempotency key, something in the request such as an id, either, or nothing."""
    positioned: bool
    """Whether it can wait until it shows what was recorded up to a position."""


OPERATIONS: dict[str, Operation] = {
    "getQueue": Operation("GET", "/v1/queues/{queue}", "none", True),
    "defineQueue": Operation("PUT", "/v1/queues/{queue}", "key", False),
    "deleteQueue": Operation("DELETE", "/v1/queues/{queue}", "key", False),
    "listQueues": Operation("GET", "/v1/queues", "none", True),
    "tallyQueue": Operation("GET", "/v1/queues/{queue}/tally", "none", True),
    "getPolicy": Operation("GET", "/v1/queues/{queue}/policy", "none", True),
    "changePolicy": Operation("PUT", "/v1/queues/{queue}/policy", "key", False),
    "listPolicyVersions": Operation("GET", "/v1/queues/{queue}/versions", "none", True),
    "diffPolicyVersions": Operation("GET", "/v1/queues/{queue}/versions/diff", "none", True),
    "blamePolicy": Operation("GET", "/v1/queues/{queue}/blame", "none", True),
    "pauseQueue": Operation("POST", "/v1/queues/{queue}/pause", "key", False),
    "resumeQueue": Operation("POST", "/v1/queues/{queue}/resume", "key", False),
    "closeIntake": Operation("POST", "/v1/queues/{queue}/close-intake", "key", False),
    "openIntake": Operation("POST", "/v1/queues/{queue}/open-intake", "key", False),
    "finishQueue": Operation("POST", "/v1/queues/{queue}/finish", "key", False),
    "reopenQueue": Operation("POST", "/v1/queues/{queue}/reopen", "key", False),
    "getQueueStats": Operation("GET", "/v1/queues/{queue}/stats", "none", True),
    "getQueueWaits": Operation("GET", "/v1/queues/{queue}/waits", "none", False),
    "getRetention": Operation("GET", "/v1/queues/{queue}/retention", "none", True),
    "setLimit": Operation("POST", "/v1/queues/{queue}/set-limit", "key", False),
    "unsetLimit": Operation("POST", "/v1/queues/{queue}/unset-limit", "key", False),
    "listLimits": Operation("GET", "/v1/queues/{queue}/limits", "none", True),
    "enqueueTask": Operation("POST", "/v1/queues/{queue}/tasks", "either", False),
    "enqueueTasks": Operation("POST", "/v1/tasks/batch", "either", False),
    "suggestTerms": Operation("GET", "/v1/tasks/suggestions", "none", True),
    "listTasks": Operation("GET", "/v1/tasks", "none", True),
    "listFailedTasks": Operation("GET", "/v1/queues/{queue}/failed", "none", True),
    "getTask": Operation("GET", "/v1/tasks/{id}", "none", True),
    "deleteTask": Operation("DELETE", "/v1/tasks/{id}", "key", False),
    "getTaskPayload": Operation("GET", "/v1/tasks/{id}/payload", "none", True),
    "getTaskExplanation": Operation("GET", "/v1/tasks/{id}/why", "none", True),
    "getTaskWait": Operation("GET", "/v1/tasks/{id}/wait", "none", True),
    "waitTask": Operation("POST", "/v1/tasks/{id}/wait", "own", False),
    "getTaskHistory": Operation("GET", "/v1/tasks/{id}/history", "none", True),
    "getTaskGraph": Operation("GET", "/v1/tasks/{id}/graph", "none", True),
    "getTaskResult": Operation("GET", "/v1/tasks/{id}/result", "none", False),
    "listResults": Operation("GET", "/v1/tasks/{id}/prerequisites", "none", True),
    "arrangeTask": Operation("POST", "/v1/tasks/{id}/prerequisites", "key", False),
    "createFollowToken": Operation("POST", "/v1/tasks/{id}/follow-token", "none", False),
    "followTask": Operation("GET", "/v1/tasks/{id}/follow", "none", False),
    "getTaskLog": Operation("GET", "/v1/tasks/{id}/log", "none", False),
    "submitTask": Operation("POST", "/v1/tasks/{id}/submit", "key", False),
    "holdTask": Operation("POST", "/v1/tasks/{id}/hold", "key", False),
    "releaseTask": Operation("POST", "/v1/tasks/{id}/release", "key", False),
    "retryTask": Operation("POST", "/v1/tasks/{id}/retry", "key", False),
    "decideTask": Operation("POST", "/v1/tasks/{id}/decide", "key", False),
    "cancelTask": Operation("POST", "/v1/tasks/{id}/cancel", "key", False),
    "abortTask": Operation("POST", "/v1/tasks/{id}/abort", "key", False),
    "prioritiseTask": Operation("POST", "/v1/tasks/{id}/prioritise", "key", False),
    "rescheduleTask": Operation("POST", "/v1/tasks/{id}/reschedule", "key", False),
    "amendTask": Operation("POST", "/v1/tasks/{id}/amend", "key", False),
    "annotateTask": Operation("PUT", "/v1/tasks/{id}/data", "key", False),
    "signalTask": Operation("POST", "/v1/tasks/{id}/signal", "key", False),
    "overruleTask": Operation("POST", "/v1/tasks/{id}/overrule", "key", False),
    "runTaskAgain": Operation("POST", "/v1/tasks/{id}/run-again", "key", False),
    "getTaskLineage": Operation("GET", "/v1/tasks/{id}/lineage", "none", True),
    "listOverlaps": Operation("GET", "/v1/overlaps", "none", True),
    "listBatches": Operation("GET", "/v1/batches", "none", True),
    "createBatch": Operation("POST", "/v1/batches", "key", False),
    "releaseBatch": Operation("POST", "/v1/batches/{id}/release", "key", False),
    "requestReport": Operation("POST", "/v1/batches/{id}/report", "key", False),
    "rerunBatch": Operation("POST", "/v1/batches/{id}/rerun", "key", False),
    "openBatch": Operation("POST", "/v1/batches/{id}/open", "key", False),
    "abortBatch": Operation("POST", "/v1/batches/{id}/abort", "key", False),
    "getBatch": Operation("GET", "/v1/batches/{id}", "none", True),
    "deleteBatch": Operation("DELETE", "/v1/batches/{id}", "key", False),
    "listBatchReports": Operation("GET", "/v1/batches/{id}/reports", "none", True),
    "tallyBatch": Operation("GET", "/v1/batches/{id}/tally", "none", True),
    "getBatchGraph": Operation("GET", "/v1/batches/{id}/graph", "none", True),
    "listBulkOperations": Operation("GET", "/v1/operations", "none", True),
    "startBulkOperation": Operation("POST", "/v1/operations", "key", False),
    "undoBulkOperation": Operation("POST", "/v1/operations/{id}/undo", "key", False),
    "getBulkOperation": Operation("GET", "/v1/operations/{id}", "none", True),
    "startErasure": Operation("POST", "/v1/erasures", "key", False),
    "getErasureCertificate": Operation("GET", "/v1/erasures/{id}/certificate", "none", False),
    "startDelivery": Operation("POST", "/v1/deliveries", "key", False),
    "getTrigger": Operation("GET", "/v1/triggers/{trigger}", "none", True),
    "defineTrigger": Operation("PUT", "/v1/triggers/{trigger}", "key", False),
    "deleteTrigger": Operation("DELETE", "/v1/triggers/{trigger}", "key", False),
    "listTriggers": Operation("GET", "/v1/triggers", "none", True),
    "enableTrigger": Operation("POST", "/v1/triggers/{trigger}/enable", "key", False),
    "disableTrigger": Operation("POST", "/v1/triggers/{trigger}/disable", "key", False),
    "fireTrigger": Operation("POST", "/v1/triggers/{trigger}/fire", "key", False),
    "replayTrigger": Operation("POST", "/v1/triggers/{trigger}/replay", "key", False),
    "listFailureGroups": Operation("GET", "/v1/failures", "none", True),
    "getFailureGroup": Operation("GET", "/v1/failures/{group}", "none", True),
    "resolveFailureGroup": Operation("POST", "/v1/failures/{group}/resolve", "key", False),
    "ignoreFailureGroup": Operation("POST", "/v1/failures/{group}/ignore", "key", False),
    "reopenFailureGroup": Operation("POST", "/v1/failures/{group}/reopen", "key", False),
    "getHold": Operation("GET", "/v1/holds/{hold}", "none", True),
    "placeHold": Operation("PUT", "/v1/holds/{hold}", "key", False),
    "liftHold": Operation("DELETE", "/v1/holds/{hold}", "key", False),
    "listHolds": Operation("GET", "/v1/holds", "none", True),
    "getResource": Operation("GET", "/v1/resources/{resource}", "none", True),
    "defineResource": Operation("PUT", "/v1/resources/{resource}", "key", False),
    "deleteResource": Operation("DELETE", "/v1/resources/{resource}", "key", False),
    "listResources": Operation("GET", "/v1/resources", "none", True),
    "measureResource": Operation("POST", "/v1/resources/{resource}/measure", "own", False),
    "saveView": Operation("PUT", "/v1/views/{view}", "key", False),
    "deleteView": Operation("DELETE", "/v1/views/{view}", "key", False),
    "listViews": Operation("GET", "/v1/views", "none", True),
    "claimTasks": Operation("POST", "/v1/queues/{queue}/claims", "own", False),
    "startTask": Operation("POST", "/v1/tasks/start", "either", False),
    "extendLease": Operation("POST", "/v1/tasks/{id}/extend", "own", False),
    "extendLeases": Operation("POST", "/v1/leases/extend", "own", False),
    "checkLeases": Operation("POST", "/v1/leases/check", "own", False),
    "succeedTask": Operation("POST", "/v1/tasks/{id}/succeed", "own", False),
    "failTask": Operation("POST", "/v1/tasks/{id}/fail", "own", False),
    "completeStep": Operation("POST", "/v1/tasks/{id}/complete-step", "own", False),
    "recordData": Operation("POST", "/v1/tasks/{id}/record", "own", False),
    "reportError": Operation("POST", "/v1/tasks/{id}/report-error", "own", False),
    "returnTask": Operation("POST", "/v1/tasks/{id}/return", "own", False),
    "confirmCancel": Operation("POST", "/v1/tasks/{id}/confirm-cancel", "own", False),
    "cancelRun": Operation("POST", "/v1/tasks/{id}/cancel-run", "own", False),
    "settleTasks": Operation("POST", "/v1/settlements", "own", False),
    "takeTurn": Operation("POST", "/v1/queues/{queue}/turns", "own", False),
    "readEvents": Operation("GET", "/v1/events", "none", False),
    "followEvents": Operation("GET", "/v1/events/stream", "none", False),
    "getQueueHistory": Operation("GET", "/v1/queues/{queue}/history", "none", True),
    "getBatchHistory": Operation("GET", "/v1/batches/{id}/history", "none", True),
    "getTriggerHistory": Operation("GET", "/v1/triggers/{trigger}/history", "none", True),
    "getHoldHistory": Operation("GET", "/v1/holds/{hold}/history", "none", True),
    "getResourceHistory": Operation("GET", "/v1/resources/{resource}/history", "none", True),
    "getSystemHistory": Operation("GET", "/v1/system/history", "none", True),
    "listActivity": Operation("GET", "/v1/activity", "none", False),
    "listChanges": Operation("GET", "/v1/changes", "none", False),
    "sumChanges": Operation("GET", "/v1/changes/summary", "none", False),
    "followChanges": Operation("GET", "/v1/changes/stream", "none", False),
    "getSystem": Operation("GET", "/v1/system", "none", True),
    "getDrain": Operation("GET", "/v1/system/drain", "none", True),
    "drainSystem": Operation("POST", "/v1/system/drain", "key", False),
    "resumeSystem": Operation("POST", "/v1/system/resume", "key", False),
    "listQueueStats": Operation("GET", "/v1/queue-stats", "none", True),
    "listWorkers": Operation("GET", "/v1/workers", "none", True),
    "listProjections": Operation("GET", "/v1/projections", "none", False),
    "rebuildProjection": Operation("POST", "/v1/projections/{projection}/rebuild", "key", False),
    "getLog": Operation("GET", "/v1/log", "none", False),
    "listSeals": Operation("GET", "/v1/log/seals", "none", False),
    "acceptLoss": Operation("POST", "/v1/log/losses", "key", False),
    "listLogKeys": Operation("GET", "/v1/log/keys", "none", False),
    "retireLogKey": Operation("POST", "/v1/log/keys", "key", False),
    "getTaskProof": Operation("GET", "/v1/tasks/{id}/proof", "none", False),
    "exportLog": Operation("GET", "/v1/log/export", "none", False),
    "listApiKeys": Operation("GET", "/v1/api-keys", "none", False),
    "whoAmI": Operation("GET", "/v1/me", "none", False),
    "runTransaction": Operation("POST", "/v1/transactions", "key", False),
    "previewCommand": Operation("POST", "/v1/previews", "none", False),
    "isLive": Operation("GET", "/healthz/live", "none", False),
    "isReady": Operation("GET", "/healthz/ready", "none", False),
    "takeDelivery": Operation("POST", "/v1/triggers/{trigger}/deliveries", "none", False),
    "readMetrics": Operation("GET", "/metrics", "none", False),
}


class BackoffChanges(TypedDict):
    kind: NotRequired[Literal["exponential", "fixed"]]
    baseMs: NotRequired[int]
    factor: NotRequired[float]
    capMs: NotRequired[int]
    jitter: NotRequired[Literal["full", "none"]]


class RetryChanges(TypedDict):
    maxAttempts: NotRequired[int | None]
    classes: NotRequired[list[Literal["business", "application", "transient", "bug", "timeout"]]]
    backoff: NotRequired[BackoffChanges]


class StepNeed(TypedDict):
    resource: str
    below: float


class StepPolicy(TypedDict):
    name: str
    onFailure: NotRequired[Literal["fail", "retry", "decide"]]
    retry: NotRequired[RetryChanges]
    maxLost: NotRequired[int | None]
    maxRunMs: NotRequired[int | None]
    mayFail: NotRequired[bool]
    resumable: NotRequired[bool]
    marks: NotRequired[bool]
    optional: NotRequired[bool]
    needs: NotRequired[list[StepNeed]]


CommandOffer = TypedDict(
    "CommandOffer",
    {
        "command": 'Literal["SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"]',
        "in": 'list[Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]]',
    },
)


class GatherChanges(TypedDict):
    quietMs: NotRequired[int]
    maxMs: NotRequired[int]
    payloads: NotRequired[Literal["last", "all"]]


PriorityPolicy = TypedDict(
    "PriorityPolicy",
    {
        "from": 'Literal["caller", "rules"]',
        "rules": 'list[dict[str, Any]]',
    },
)


class LimitChanges(TypedDict):
    payloadBytes: NotRequired[int]


class RetentionChanges(TypedDict):
    succeeded: NotRequired[int | None]
    failed: NotRequired[int | None]
    cancelled: NotRequired[int | None]
    aborted: NotRequired[int | None]
    superseded: NotRequired[int | None]
    deleted: NotRequired[int | None]


class CronPattern(TypedDict):
    cron: str
    timeZone: str


class Rate(TypedDict):
    starts: int
    perMs: int
    burst: int


class ValueLimits(TypedDict):
    value: str
    maxRunning: NotRequired[int]
    rate: NotRequired[Rate]


class LabelLimits(TypedDict):
    label: str
    maxRunning: NotRequired[int]
    rate: NotRequired[Rate]
    values: NotRequired[list[ValueLimits]]


class FairShares(TypedDict):
    label: str
    weights: NotRequired[dict[str, int]]


class PlannedBatches(TypedDict):
    preset: str | None
    reRunReporting: Literal["auto", "update", "own", "rerun-batch"]
    creatorChooses: bool


class PolicyChanges(TypedDict):
    kinds: NotRequired[list[str]]
    payloadSchemas: NotRequired[dict[str, dict[str, Any]]]
    keyRequired: NotRequired[bool]
    duplicatePending: NotRequired[Literal["return-existing", "refuse", "replace-payload", "allow", "gather"]]
    gather: NotRequired[GatherChanges]
    clearFailuresOnSuccess: NotRequired[bool]
    onKeyFailure: NotRequired[Literal["continue", "block"]]
    uniqueReference: NotRequired[Literal["off", "open", "always"]]
    onFailure: NotRequired[Literal["fail", "retry", "decide"]]
    retry: NotRequired[RetryChanges]
    maxLost: NotRequired[int]
    leaseMs: NotRequired[int]
    maxRunMs: NotRequired[int | None]
    ttlMs: NotRequired[int | None]
    defaultPriority: NotRequired[int]
    steps: NotRequired[list[str | StepPolicy]]
    stepsAsStates: NotRequired[bool]
    workersPrioritise: NotRequired[bool]
    priority: NotRequired[PriorityPolicy]
    limits: NotRequired[LimitChanges]
    retention: NotRequired[RetentionChanges]
    onCancel: NotRequired[Literal["cancel", "fail"]]
    search: NotRequired[list[str]]
    expireDays: NotRequired[int | None]
    payloadsOutsideAboveBytes: NotRequired[int | None]
    waitsFor: NotRequired[list[str]]
    finite: NotRequired[bool]
    pauseAfterFailures: NotRequired[int | None]
    errorStacks: NotRequired[bool]
    errorClasses: NotRequired[Literal["given", "guessed"]]
    dueTimes: NotRequired[CronPattern | None]
    holdsCatch: NotRequired[Literal["every-claim", "first-claim"]]
    concurrency: NotRequired[Literal["unlimited", "serial"] | dict[str, Any] | int]
    maxRunning: NotRequired[int | None]
    rate: NotRequired[Rate | None]
    perLabel: NotRequired[LabelLimits | None]
    fair: NotRequired[FairShares | None]
    takeoverSeconds: NotRequired[int]
    batches: NotRequired[PlannedBatches | None]
    needs: NotRequired[dict[str, str | float | bool] | None]
    commands: NotRequired[list[Literal["PrepareTask", "EnqueueTask", "SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"] | CommandOffer] | None]


class QueueDefinition(TypedDict):
    reason: NotRequired[str]
    description: NotRequired[str]
    preset: NotRequired[str]
    policy: NotRequired[PolicyChanges]
    replace: NotRequired[bool]


class IntakeView(TypedDict):
    open: bool
    by: NotRequired[str]
    reason: NotRequired[str | None]


PausingFailure = TypedDict(
    "PausingFailure",
    {
        "taskId": 'str',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
    },
)


class StandingPause(TypedDict):
    by: str
    reason: str | None
    until: str | None
    failure: PausingFailure | None


class Gathering(TypedDict):
    quietMs: int
    maxMs: int
    payloads: Literal["last", "all"]


class BackoffPolicy(TypedDict):
    kind: Literal["exponential", "fixed"]
    baseMs: int
    factor: float
    capMs: int
    jitter: Literal["full", "none"]


class RetryPolicy(TypedDict):
    maxAttempts: int | None
    classes: list[Literal["business", "application", "transient", "bug", "timeout"]]
    backoff: BackoffPolicy


class QueueLimits(TypedDict):
    payloadBytes: int


class Retention(TypedDict):
    succeeded: int | None
    failed: int | None
    cancelled: int | None
    aborted: int | None
    superseded: int | None
    deleted: int | None


class QueuePolicy(TypedDict):
    kinds: list[str]
    payloadSchemas: dict[str, dict[str, Any]]
    keyRequired: bool
    duplicatePending: Literal["return-existing", "refuse", "replace-payload", "allow", "gather"]
    gather: Gathering
    clearFailuresOnSuccess: bool
    onKeyFailure: Literal["continue", "block"]
    onCancel: Literal["cancel", "fail"]
    uniqueReference: Literal["off", "open", "always"]
    onFailure: Literal["fail", "retry", "decide"]
    retry: RetryPolicy
    maxLost: int | None
    leaseMs: int
    maxRunMs: int | None
    ttlMs: int | None
    defaultPriority: int
    steps: list[str | StepPolicy]
    stepsAsStates: bool
    workersPrioritise: bool
    priority: PriorityPolicy
    limits: QueueLimits
    retention: Retention
    search: list[str]
    expireDays: int | None
    payloadsOutsideAboveBytes: int | None
    waitsFor: list[str]
    finite: bool
    pauseAfterFailures: int | None
    errorStacks: bool
    errorClasses: Literal["given", "guessed"]
    dueTimes: CronPattern | None
    batches: PlannedBatches | None
    holdsCatch: Literal["every-claim", "first-claim"]
    concurrency: Literal["unlimited", "serial"] | dict[str, Any]
    maxRunning: int | None
    rate: Rate | None
    perLabel: LabelLimits | None
    fair: FairShares | None
    takeoverSeconds: int
    needs: dict[str, str | float | bool] | None
    preset: str | None
    vocabulary: dict[str, str] | None
    commands: list[Literal["PrepareTask", "EnqueueTask", "SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"] | CommandOffer] | None


class DefinitionReceipt(TypedDict):
    id: str
    position: str
    indexed: NotRequired[Literal[False]]
    revision: int
    recorded: bool
    outcome: Literal["created", "kept", "replaced"]
    differences: list[str]
    description: str
    state: Literal["active", "paused", "waiting", "finished"]
    intake: IntakeView
    pause: NotRequired[StandingPause]
    policy: QueuePolicy
    policyVersion: int


QueueFailure = TypedDict(
    "QueueFailure",
    {
        "taskId": 'str',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
        "message": 'str | None',
    },
)


class PauseView(TypedDict):
    by: str
    reason: str | None
    until: str | None
    failure: QueueFailure | None


class AsOf(TypedDict):
    position: str
    at: str
    alternative: str | None
    settled: bool
    notRecorded: list[str]


class QueueView(TypedDict):
    name: str
    id: str
    internal: bool
    description: str
    state: Literal["active", "paused", "waiting", "finished"]
    intake: IntakeView
    pause: NotRequired[PauseView]
    waitingFor: NotRequired[list[str]]
    policy: QueuePolicy
    policyVersion: int
    revision: int
    position: str
    createdAt: str
    updatedAt: str
    asOf: NotRequired[AsOf]


class QueueList(TypedDict):
    items: list[QueueView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class QueueTally(TypedDict):
    queue: str
    counts: dict[str, Any]
    asOf: NotRequired[AsOf]


class Receipt(TypedDict):
    id: str
    position: str
    indexed: NotRequired[Literal[False]]
    revision: int
    recorded: bool


FieldChange = TypedDict(
    "FieldChange",
    {
        "field": 'str',
        "from": 'Any',
        "to": 'Any',
    },
)


class PolicyVersion(TypedDict):
    position: str
    at: str
    by: str
    agent: NotRequired[str]
    reason: str | None
    version: int
    outcome: Literal["defined", "changed"]
    changes: list[FieldChange]
    description: str
    policy: QueuePolicy


class PolicyVersionPage(TypedDict):
    items: list[PolicyVersion]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


PolicyDiff = TypedDict(
    "PolicyDiff",
    {
        "queue": 'str',
        "from": 'int',
        "to": 'int',
        "changes": 'list[FieldChange]',
    },
)


class VersionMade(TypedDict):
    position: str
    at: str
    by: str
    agent: NotRequired[str]
    reason: str | None
    version: int


class BlamedField(TypedDict):
    field: str
    value: Any
    isDefault: bool
    setBy: VersionMade | None


class PolicyBlame(TypedDict):
    queue: str
    version: int
    fields: list[BlamedField]
    asOf: NotRequired[AsOf]


class PolicyChange(TypedDict):
    kinds: NotRequired[list[str]]
    payloadSchemas: NotRequired[dict[str, dict[str, Any]]]
    keyRequired: NotRequired[bool]
    duplicatePending: NotRequired[Literal["return-existing", "refuse", "replace-payload", "allow", "gather"]]
    gather: NotRequired[GatherChanges]
    clearFailuresOnSuccess: NotRequired[bool]
    onKeyFailure: NotRequired[Literal["continue", "block"]]
    uniqueReference: NotRequired[Literal["off", "open", "always"]]
    onFailure: NotRequired[Literal["fail", "retry", "decide"]]
    retry: NotRequired[RetryChanges]
    maxLost: NotRequired[int]
    leaseMs: NotRequired[int]
    maxRunMs: NotRequired[int | None]
    ttlMs: NotRequired[int | None]
    defaultPriority: NotRequired[int]
    steps: NotRequired[list[str | StepPolicy]]
    stepsAsStates: NotRequired[bool]
    workersPrioritise: NotRequired[bool]
    priority: NotRequired[PriorityPolicy]
    limits: NotRequired[LimitChanges]
    retention: NotRequired[RetentionChanges]
    onCancel: NotRequired[Literal["cancel", "fail"]]
    search: NotRequired[list[str]]
    expireDays: NotRequired[int | None]
    payloadsOutsideAboveBytes: NotRequired[int | None]
    waitsFor: NotRequired[list[str]]
    finite: NotRequired[bool]
    pauseAfterFailures: NotRequired[int | None]
    errorStacks: NotRequired[bool]
    errorClasses: NotRequired[Literal["given", "guessed"]]
    dueTimes: NotRequired[CronPattern | None]
    holdsCatch: NotRequired[Literal["every-claim", "first-claim"]]
    concurrency: NotRequired[Literal["unlimited", "serial"] | dict[str, Any] | int]
    maxRunning: NotRequired[int | None]
    rate: NotRequired[Rate | None]
    perLabel: NotRequired[LabelLimits | None]
    fair: NotRequired[FairShares | None]
    takeoverSeconds: NotRequired[int]
    batches: NotRequired[PlannedBatches | None]
    needs: NotRequired[dict[str, str | float | bool] | None]
    commands: NotRequired[list[Literal["PrepareTask", "EnqueueTask", "SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"] | CommandOffer] | None]
    reason: NotRequired[str]


class PauseQueueRequest(TypedDict):
    reason: NotRequired[str]
    until: NotRequired[str | None]


class ReasonRequest(TypedDict):
    reason: NotRequired[str]


class DurationStats(TypedDict):
    count: int
    total: int
    max: int


class SpreadStats(TypedDict):
    count: int
    total: int
    max: int
    median: int | None
    p95: int | None


class QueueFigures(TypedDict):
    enqueued: int
    claimed: int
    succeeded: int
    failed: dict[str, Any]
    retried: int
    lost: int
    waitingMs: SpreadStats
    processingMs: SpreadStats
    backlog: int


class QueueBucket(TypedDict):
    enqueued: int
    claimed: int
    succeeded: int
    failed: dict[str, Any]
    retried: int
    lost: int
    waitingMs: SpreadStats
    processingMs: SpreadStats
    backlog: int
    at: str


QueueHistory = TypedDict(
    "QueueHistory",
    {
        "bucket": 'Literal["1m", "5m", "15m", "1h", "6h", "1d"]',
        "from": 'str',
        "to": 'str',
        "total": 'QueueFigures',
        "buckets": 'list[QueueBucket]',
    },
)


class QueueStatsDetails(TypedDict):
    queue: str
    internal: bool
    counts: dict[str, Any]
    failuresByClass: dict[str, Any]
    waitingMs: DurationStats
    runningMs: DurationStats
    oldestWaitingMs: int | None
    longestRunMs: int | None
    overdue: int | None
    deadlinesMissed: int
    unheardLosses: int
    lastPolledAt: str | None
    unattended: bool
    asOfPosition: str
    failedByClass: dict[str, Any]
    processingMs: DurationStats
    history: NotRequired[QueueHistory]
    asOf: NotRequired[AsOf]


class WaitShare(TypedDict):
    because: Literal["state", "held", "hold", "job", "cancel-requested", "decision", "ended", "quarantined", "prerequisites", "resource", "due", "signal", "gathers", "target-failing", "key", "key-failure", "queue-paused", "draining", "queue-waiting", "queue-finished", "queue-failing", "no-slot", "rate", "lease-over", "worker", "retry", "behind", "unknown"]
    ms: int
    share: float
    tasks: int


QueueWaits = TypedDict(
    "QueueWaits",
    {
        "queue": 'str',
        "from": 'str',
        "until": 'str',
        "tasks": 'int',
        "waitedMs": 'int',
        "sums": 'list[WaitShare]',
        "unreadable": 'int',
        "asOf": 'AsOf',
    },
)


class LeavingTasks(TypedDict):
    state: Literal["succeeded", "failed", "cancelled", "aborted", "superseded", "deleted"]
    days: int
    tasks: int
    oldestEndedAt: str | None
    first: list[str]


class RetentionView(TypedDict):
    queue: str
    archived: int
    lastPassAt: str | None
    states: list[LeavingTasks]
    more: bool


class SetLimitRequest(TypedDict):
    reason: NotRequired[str]
    label: str
    value: NotRequired[str]
    maxRunning: NotRequired[int]
    rate: NotRequired[Rate]


class UnsetLimitRequest(TypedDict):
    reason: NotRequired[str]
    label: str
    value: NotRequired[str]


class LimitedValue(TypedDict):
    value: str | None
    maxRunning: NotRequired[int]
    rate: NotRequired[Rate]
    isOwn: bool
    running: int
    nextStartAt: str | None


class LimitPage(TypedDict):
    label: str | None
    maxRunning: NotRequired[int]
    rate: NotRequired[Rate]
    items: list[LimitedValue]
    nextCursor: str | None


class Prerequisite(TypedDict):
    task: NotRequired[str]
    batch: NotRequired[str]
    ignore: NotRequired[bool]


class HoldWish(TypedDict):
    reason: NotRequired[str]


RejectedSubmission = TypedDict(
    "RejectedSubmission",
    {
        "message": 'str',
        "class": NotRequired['Literal["business", "application", "transient", "bug"]'],
    },
)


class GatherWish(TypedDict):
    quietMs: NotRequired[int]
    maxMs: NotRequired[int]


class TaskSubmission(TypedDict):
    kind: NotRequired[str]
    key: NotRequired[str]
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    description: NotRequired[str]
    payload: NotRequired[Any]
    payloadSha256: NotRequired[str]
    id: NotRequired[str]
    reference: NotRequired[str]
    deadlineAt: NotRequired[str]
    context: NotRequired[str]
    auditContext: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    traceparent: NotRequired[str]
    dueAt: NotRequired[str]
    expiresAt: NotRequired[str]
    ttlMs: NotRequired[int]
    batch: NotRequired[str]
    batchSize: NotRequired[int]
    steps: NotRequired[list[str]]
    needs: NotRequired[dict[str, str | float | bool]]
    after: NotRequired[list[Prerequisite]]
    hold: NotRequired[HoldWish]
    rejected: NotRequired[RejectedSubmission]
    gather: NotRequired[GatherWish]
    prepared: NotRequired[bool]


class EnqueueResult(TypedDict):
    id: str
    status: Literal["enqueued", "existing", "replaced", "gathered"]
    dueAt: NotRequired[str]
    position: str
    indexed: NotRequired[Literal[False]]
    revision: int


class QueuedSubmission(TypedDict):
    kind: NotRequired[str]
    key: NotRequired[str]
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    description: NotRequired[str]
    payload: NotRequired[Any]
    payloadSha256: NotRequired[str]
    id: NotRequired[str]
    reference: NotRequired[str]
    deadlineAt: NotRequired[str]
    context: NotRequired[str]
    auditContext: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    traceparent: NotRequired[str]
    dueAt: NotRequired[str]
    expiresAt: NotRequired[str]
    ttlMs: NotRequired[int]
    batch: NotRequired[str]
    batchSize: NotRequired[int]
    steps: NotRequired[list[str]]
    needs: NotRequired[dict[str, str | float | bool]]
    after: NotRequired[list[Prerequisite]]
    hold: NotRequired[HoldWish]
    rejected: NotRequired[RejectedSubmission]
    gather: NotRequired[GatherWish]
    prepared: NotRequired[bool]
    queue: str


class EnqueueMany(TypedDict):
    tasks: list[QueuedSubmission]


class ProblemError(TypedDict):
    pointer: str
    detail: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: NotRequired[str]
    code: str
    traceId: NotRequired[str]
    errors: NotRequired[list[ProblemError]]


class RefusedItem(TypedDict):
    problem: Problem


class EnqueueManyResult(TypedDict):
    results: list[EnqueueResult | RefusedItem]
    deduplicated: int
    position: str | None
    indexed: NotRequired[Literal[False]]


class Suggestion(TypedDict):
    text: str
    about: str | None


class SuggestionList(TypedDict):
    at: int
    items: list[Suggestion]


TaskErrorView = TypedDict(
    "TaskErrorView",
    {
        "message": 'str',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
        "details": NotRequired['Any'],
    },
)


class TaskSummary(TypedDict):
    id: str
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    stateName: str
    waitingFor: Literal["worker", "prerequisites", "due", "key", "draining", "queue-paused", "queue-waiting", "queue-finished"] | None
    kind: str
    key: str | None
    reference: str | None
    priority: int
    labels: dict[str, str]
    description: str | None
    dueAt: str | None
    expiresAt: str | None
    deadlineAt: str | None
    deadlineMissed: bool
    runUntil: str | None
    enqueuedAt: str | None
    scheduledFor: str
    startedAt: str | None
    finishedAt: str | None
    attempt: int
    retries: int
    worker: str | None
    lastStep: str | None
    step: str | None
    percent: int | None
    batch: str | None
    lastHeartbeatAt: str | None
    error: TaskErrorView | None
    revision: int
    position: str


class TaskPage(TypedDict):
    items: list[TaskSummary]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class PayloadOutside(TypedDict):
    sha256: str
    bytes: int
    day: str


class JobItem(TypedDict):
    id: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]


class TaskProgressBar(TypedDict):
    title: str
    start: float
    end: float
    position: float
    attempt: int


class TaskTrace(TypedDict):
    traceId: str
    attempt: int | None
    url: str | None


class TaskDetails(TypedDict):
    id: str
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    stateName: str
    waitingFor: Literal["worker", "prerequisites", "due", "key", "draining", "queue-paused", "queue-waiting", "queue-finished"] | None
    kind: str
    key: str | None
    reference: str | None
    priority: int
    labels: dict[str, str]
    description: str | None
    dueAt: str | None
    expiresAt: str | None
    deadlineAt: str | None
    deadlineMissed: bool
    runUntil: str | None
    enqueuedAt: str | None
    scheduledFor: str
    startedAt: str | None
    finishedAt: str | None
    attempt: int
    retries: int
    worker: str | None
    lastStep: str | None
    step: str | None
    percent: int | None
    batch: str | None
    lastHeartbeatAt: str | None
    error: TaskErrorView | None
    revision: int
    position: str
    updatedAt: str
    endedAt: str | None
    archivedAt: str | None
    payload: Any
    payloadOutside: NotRequired[PayloadOutside]
    result: Any
    context: str | None
    auditContext: str | None
    needs: dict[str, str | float | bool] | None
    steps: list[str]
    items: list[JobItem]
    job: str | None
    rerunOf: str | None
    rerun: str | None
    failureGroup: str | None
    data: dict[str, Any]
    progress: list[TaskProgressBar]
    traces: list[TaskTrace]
    asOf: NotRequired[AsOf]


class TaskPayload(TypedDict):
    payload: Any
    asOf: NotRequired[AsOf]


ReasonError = TypedDict(
    "ReasonError",
    {
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
        "message": 'str',
    },
)


class OpenTasks(TypedDict):
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    stateName: str
    tasks: int
    commands: list[Literal["SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"]]


class BlockerView(TypedDict):
    id: NotRequired[str]
    state: str
    open: NotRequired[list[OpenTasks]]


class TaskInHand(TypedDict):
    worker: str
    server: str
    taskId: str


class NotRunningReason(TypedDict):
    because: Literal["state", "held", "hold", "job", "cancel-requested", "decision", "ended", "quarantined", "prerequisites", "resource", "due", "signal", "gathers", "target-failing", "key", "key-failure", "queue-paused", "draining", "queue-waiting", "queue-finished", "queue-failing", "no-slot", "rate", "lease-over", "worker"]
    state: NotRequired[Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]]
    by: NotRequired[str]
    at: NotRequired[str]
    worker: NotRequired[str]
    then: NotRequired[Literal["cancelled", "held", "failed"]]
    error: NotRequired[ReasonError | None]
    final: NotRequired[bool]
    erased: NotRequired[bool]
    reason: NotRequired[str | None]
    position: NotRequired[str | None]
    since: NotRequired[str]
    ranMs: NotRequired[int]
    until: NotRequired[str | None]
    failure: NotRequired[QueueFailure | None]
    submissions: NotRequired[int]
    latest: NotRequired[str]
    signal: NotRequired[str]
    key: NotRequired[str]
    taskId: NotRequired[str | None]
    hold: NotRequired[str]
    resource: NotRequired[str]
    below: NotRequired[float]
    value: NotRequired[float | None]
    measuredAt: NotRequired[str | None]
    never: NotRequired[bool]
    target: NotRequired[str]
    count: NotRequired[int]
    blockers: NotRequired[list[BlockerView]]
    queues: NotRequired[list[str]]
    failures: NotRequired[int]
    maxAttempts: NotRequired[int | None]
    rule: NotRequired[Literal["on-failure", "classes", "max-attempts", "max-lost"]]
    classes: NotRequired[list[Literal["business", "application", "transient", "bug", "timeout"]]]
    limit: NotRequired[Literal["serial", "perServer", "maxRunning", "perLabel"]]
    label: NotRequired[str]
    labelValue: NotRequired[str | None]
    unattended: NotRequired[bool]
    lastPolledAt: NotRequired[str | None]
    step: NotRequired[str]
    needs: NotRequired[dict[str, str | float | bool]]
    kind: NotRequired[str]
    turnsBefore: NotRequired[int]
    running: NotRequired[list[TaskInHand]]


class TaskExplanation(TypedDict):
    taskId: str
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    reasons: list[NotRunningReason]
    rank: int | None
    allowed: list[Literal["SubmitTask", "HoldTask", "ReleaseTask", "DecideRetry", "DecideFail", "RetryTask", "ReprioritiseTask", "RescheduleTask", "AmendPayload", "AmendData", "SignalTask", "CancelTask", "ChangePrerequisites", "AbortTask", "DeleteTask", "OverruleTask"]]
    asOf: NotRequired[AsOf]


class WaitSum(TypedDict):
    because: Literal["state", "held", "hold", "job", "cancel-requested", "decision", "ended", "quarantined", "prerequisites", "resource", "due", "signal", "gathers", "target-failing", "key", "key-failure", "queue-paused", "draining", "queue-waiting", "queue-finished", "queue-failing", "no-slot", "rate", "lease-over", "worker", "retry", "behind", "unknown"]
    ms: int


WaitInterval = TypedDict(
    "WaitInterval",
    {
        "from": 'str',
        "until": 'str',
        "ms": 'int',
        "because": 'Literal["state", "held", "hold", "job", "cancel-requested", "decision", "ended", "quarantined", "prerequisites", "resource", "due", "signal", "gathers", "target-failing", "key", "key-failure", "queue-paused", "draining", "queue-waiting", "queue-finished", "queue-failing", "no-slot", "rate", "lease-over", "worker", "retry", "behind", "unknown"]',
        "reason": 'NotRunningReason | None',
        "also": 'list[Literal["state", "held", "hold", "job", "cancel-requested", "decision", "ended", "quarantined", "prerequisites", "resource", "due", "signal", "gathers", "target-failing", "key", "key-failure", "queue-paused", "draining", "queue-waiting", "queue-finished", "queue-failing", "no-slot", "rate", "lease-over", "worker", "retry", "behind", "unknown"]]',
        "attempt": 'int',
        "claims": 'int',
    },
)


TaskWait = TypedDict(
    "TaskWait",
    {
        "taskId": 'str',
        "queue": 'str',
        "state": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]',
        "from": 'str | None',
        "until": 'str | None',
        "waitedMs": 'int',
        "sums": 'list[WaitSum]',
        "intervals": 'list[WaitInterval]',
        "asOf": 'AsOf',
    },
)


class EventEnvelope(TypedDict):
    actor: str
    agent: NotRequired[str]
    correlationId: NotRequired[str]
    causationId: NotRequired[str]
    reason: NotRequired[str]
    tenant: NotRequired[str]
    traceparent: NotRequired[str]
    policyVersion: NotRequired[int]


class EventView(TypedDict):
    position: str
    stream: str
    revision: int
    id: str
    type: str
    version: int
    recordedAt: str
    data: dict[str, Any]
    envelope: EventEnvelope
    unreadable: NotRequired[str]


class EventList(TypedDict):
    items: list[EventView]
    asOf: NotRequired[AsOf]


class GraphNode(TypedDict):
    id: str
    level: int
    kind: Literal["task", "batch", "fold"]
    title: str
    queue: str | None
    state: str
    blocked: bool
    percent: NotRequired[int]
    count: NotRequired[int]


GraphEdge = TypedDict(
    "GraphEdge",
    {
        "from": 'str',
        "to": 'str',
        "ignore": 'bool',
        "closed": 'bool',
    },
)


class TaskGraph(TypedDict):
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    cause: list[str]
    total: int
    folded: bool
    truncated: bool
    asOf: NotRequired[AsOf]


class TaskResult(TypedDict):
    task: str
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    ended: bool
    result: Any
    finishedAt: str | None
    position: str
    error: TaskErrorView | None


PrerequisiteResult = TypedDict(
    "PrerequisiteResult",
    {
        "id": NotRequired['str'],
        "is": 'Literal["task", "batch"]',
        "state": 'str',
        "queue": 'str | None',
        "kind": 'str | None',
        "key": 'str | None',
        "reference": 'str | None',
        "result": 'Any',
    },
)


class PrerequisiteResultPage(TypedDict):
    items: list[PrerequisiteResult]
    nextCursor: str | None


FollowedError = TypedDict(
    "FollowedError",
    {
        "message": 'str',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
    },
)


class FollowedEvent(TypedDict):
    position: str
    type: str
    recordedAt: str


class FollowedTask(TypedDict):
    task: str
    queue: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    ended: bool
    result: Any
    finishedAt: str | None
    position: str
    type: Literal["Followed"]
    error: FollowedError | None
    events: list[FollowedEvent]


class FollowTokenRequest(TypedDict):
    expiresInMs: NotRequired[int]


class FollowToken(TypedDict):
    token: str
    task: str
    expiresAt: str


class KeptLogLine(TypedDict):
    number: int
    at: str
    level: Literal["debug", "info", "warn", "error"]
    text: str
    fields: dict[str, Any]
    attempt: int


class TaskLogPage(TypedDict):
    items: list[KeptLogLine]
    nextCursor: str
    more: bool
    ended: bool


class RetryTaskRequest(TypedDict):
    reason: NotRequired[str]
    step: NotRequired[str]
    override: NotRequired[bool]


class DecideTaskRequest(TypedDict):
    reason: NotRequired[str]
    decision: Literal["retry", "fail"]


class PrioritiseTaskRequest(TypedDict):
    reason: NotRequired[str]
    priority: int


class RescheduleTaskRequest(TypedDict):
    reason: NotRequired[str]
    dueAt: str | None


class AmendTaskRequest(TypedDict):
    reason: NotRequired[str]
    payload: Any


class TaskDataRequest(TypedDict):
    reason: NotRequired[str]
    data: dict[str, Any]


class SignalTaskRequest(TypedDict):
    reason: NotRequired[str]
    signal: str
    data: NotRequired[Any]


class PrerequisitesRequest(TypedDict):
    reason: NotRequired[str]
    add: NotRequired[list[Prerequisite]]
    waive: NotRequired[list[str]]


class OverruleTaskRequest(TypedDict):
    verdict: Literal["succeed", "fail", "requeue"]
    reason: str
    result: NotRequired[Any]


class RunAgainRequest(TypedDict):
    payload: NotRequired[Any]
    fromStep: NotRequired[str]
    queue: NotRequired[str]
    reason: str


class LineageNode(TypedDict):
    id: str
    level: int
    kind: Literal["task", "batch"]
    title: str
    queue: str | None
    state: str | None


class LineageLink(TypedDict):
    cause: str
    effect: str
    kind: Literal["context", "trigger", "plan", "rerun", "operation", "item", "cascade", "supersession", "delivery"]
    position: str


class Lineage(TypedDict):
    nodes: list[LineageNode]
    links: list[LineageLink]
    truncated: bool
    hidden: int


class Overlap(TypedDict):
    position: str
    queue: str
    task: str
    attempt: int
    worker: str
    nextAttempt: int
    nextWorker: str
    lostAt: str
    begunAt: str
    endedAt: str


OverlapPage = TypedDict(
    "OverlapPage",
    {
        "items": 'list[Overlap]',
        "nextCursor": 'str | None',
        "from": 'str',
        "to": 'str',
        "overlaps": 'int',
        "attempts": 'int',
        "share": 'float | None',
    },
)


class BatchPlan(TypedDict):
    queue: str
    kind: NotRequired[str]
    key: NotRequired[str]
    reference: NotRequired[str]
    priority: NotRequired[int]
    needs: NotRequired[dict[str, str | float | bool]]
    description: NotRequired[str]
    dueAt: NotRequired[str]
    expiresAt: NotRequired[str]
    ttlMs: NotRequired[int]
    deadlineAt: NotRequired[str]
    payload: NotRequired[Any]


class MailTarget(TypedDict):
    to: list[str]


class WebhookTarget(TypedDict):
    url: str
    secret: str


class ReportTarget(TypedDict):
    mail: NotRequired[MailTarget]
    webhook: NotRequired[WebhookTarget]


class BatchDefinition(TypedDict):
    reason: NotRequired[str]
    id: NotRequired[str]
    name: str
    description: NotRequired[str]
    labels: NotRequired[dict[str, str]]
    plan: NotRequired[BatchPlan]
    preset: NotRequired[str]
    reRunReporting: NotRequired[Literal["auto", "update", "own", "rerun-batch"]]
    reportTo: NotRequired[ReportTarget]


class OpenBatchRequest(TypedDict):
    reason: NotRequired[str]
    tasks: int


class BatchView(TypedDict):
    id: str
    name: str
    description: str | None
    labels: dict[str, str]
    state: Literal["planning", "running", "completed", "failed", "reporting", "aborted", "deleted"]
    phase: Literal["planning", "pending", "held", "processing", "running", "completed", "failed", "reporting", "aborted", "deleted"]
    stateName: str
    createdAt: str
    endedAt: str | None
    planner: str | None
    plannerState: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"] | None
    error: str | None
    preset: str | None
    reRunReporting: Literal["auto", "update", "own", "rerun-batch"]
    reportTo: ReportTarget | None
    rerunOf: str | None
    rerun: str | None
    reports: int
    reportedAt: str | None
    commands: list[Literal["OpenBatch", "ReleaseBatch", "RequestReport", "RerunBatch", "AbortBatch", "DeleteBatch"]]
    total: int
    open: int
    succeeded: int
    failed: int
    aborted: int
    deleted: int
    revision: int
    position: str


class BatchPage(TypedDict):
    items: list[BatchView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class BatchDetails(TypedDict):
    id: str
    name: str
    description: str | None
    labels: dict[str, str]
    state: Literal["planning", "running", "completed", "failed", "reporting", "aborted", "deleted"]
    phase: Literal["planning", "pending", "held", "processing", "running", "completed", "failed", "reporting", "aborted", "deleted"]
    stateName: str
    createdAt: str
    endedAt: str | None
    planner: str | None
    plannerState: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"] | None
    error: str | None
    preset: str | None
    reRunReporting: Literal["auto", "update", "own", "rerun-batch"]
    reportTo: ReportTarget | None
    rerunOf: str | None
    rerun: str | None
    reports: int
    reportedAt: str | None
    commands: list[Literal["OpenBatch", "ReleaseBatch", "RequestReport", "RerunBatch", "AbortBatch", "DeleteBatch"]]
    total: int
    open: int
    succeeded: int
    failed: int
    aborted: int
    deleted: int
    revision: int
    position: str
    openTasks: list[OpenTasks]
    asOf: NotRequired[AsOf]


class BatchCounts(TypedDict):
    total: int
    succeeded: int
    failed: int
    aborted: int
    deleted: int


ReportedChange = TypedDict(
    "ReportedChange",
    {
        "task": 'str',
        "name": NotRequired['str'],
        "state": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]',
        "from": NotRequired['Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]'],
    },
)


class ReportedTask(TypedDict):
    task: str
    name: NotRequired[str]
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]


class ReportDelivery(TypedDict):
    id: str
    kind: Literal["mail", "webhook"]
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"] | None


class BatchReport(TypedDict):
    number: int
    at: str
    about: Literal["batch", "task"]
    counts: BatchCounts | None
    changes: list[ReportedChange]
    more: int
    incomplete: list[ReportedTask]
    deliveries: list[ReportDelivery]


class BatchReportPage(TypedDict):
    items: list[BatchReport]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class BatchTally(TypedDict):
    queue: str
    step: str | None
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    stateName: str
    tasks: int


class BatchTallyList(TypedDict):
    items: list[BatchTally]
    asOf: NotRequired[AsOf]


class BulkOperationFilter(TypedDict):
    q: NotRequired[str]
    queue: NotRequired[str]
    state: NotRequired[Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]]
    key: NotRequired[str]
    reference: NotRequired[str]
    kind: NotRequired[str]
    worker: NotRequired[str]
    step: NotRequired[str]
    batch: NotRequired[str]
    group: NotRequired[str]
    label: NotRequired[str]
    overdue: NotRequired[bool]
    sort: NotRequired[Literal["deadline"]]
    policyVersion: NotRequired[int]
    decidedSince: NotRequired[str]
    decidedUntil: NotRequired[str]


class RunAgainFields(TypedDict):
    payload: NotRequired[Any]
    fromStep: NotRequired[str]
    queue: NotRequired[str]


class CanaryRequest(TypedDict):
    first: int
    goOnIf: float
    withinMs: NotRequired[int]


class BulkOperationRequest(TypedDict):
    reason: NotRequired[str]
    command: Literal["retry", "cancel", "abort", "hold", "release", "prioritise", "delete", "runAgain", "deleteQueue"]
    filter: NotRequired[BulkOperationFilter]
    tasks: NotRequired[list[str]]
    all: NotRequired[bool]
    priority: NotRequired[int]
    again: NotRequired[RunAgainFields]
    canary: NotRequired[CanaryRequest]
    perSecond: NotRequired[int]
    running: NotRequired[Literal["finish", "cancel"]]
    preview: NotRequired[bool | Literal["decided"]]
    asPreviewed: NotRequired[str]


PreviewedMove = TypedDict(
    "PreviewedMove",
    {
        "from": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]',
        "to": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]',
        "count": 'int',
    },
)


PreviewExample = TypedDict(
    "PreviewExample",
    {
        "task": 'str',
        "from": NotRequired['Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]'],
        "to": NotRequired['Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]'],
        "code": NotRequired['str'],
    },
)


class OperationPreview(TypedDict):
    position: str
    decided: int
    done: int
    moves: list[PreviewedMove]
    refused: dict[str, int]
    takenAlong: int
    unblocked: int
    triggers: dict[str, int]
    examples: list[PreviewExample]


class StartedBulkOperation(TypedDict):
    count: int
    running: NotRequired[int]
    id: str | None
    position: str | None
    preview: NotRequired[OperationPreview]
    indexed: NotRequired[Literal[False]]


class ProgressBar(TypedDict):
    title: str
    start: float
    end: float
    position: float


class OperationView(TypedDict):
    id: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    command: str
    by: str
    reason: str | None
    orderedAt: str
    finishedAt: str | None
    expected: int
    order: Any
    progress: list[ProgressBar]
    result: Any
    canary: Any
    error: str | None


class OperationPage(TypedDict):
    items: list[OperationView]
    nextCursor: str | None


class UndoRequest(TypedDict):
    reason: NotRequired[str]
    preview: NotRequired[bool]


class FailedGroup(TypedDict):
    group: str
    failed: int


class OperationOutcome(TypedDict):
    succeeded: int
    failed: int
    open: int
    ended: int
    groups: list[FailedGroup]


class OperationDetails(TypedDict):
    id: str
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    command: str
    by: str
    reason: str | None
    orderedAt: str
    finishedAt: str | None
    expected: int
    order: Any
    progress: list[ProgressBar]
    result: Any
    canary: Any
    error: str | None
    became: OperationOutcome | None


class ErasureRequest(TypedDict):
    label: NotRequired[str]
    key: NotRequired[str]
    queue: NotRequired[str]
    task: NotRequired[str]
    endedBefore: NotRequired[Any]
    reason: str
    abortOpen: NotRequired[bool]
    preview: NotRequired[bool]


class StartedErasure(TypedDict):
    tasks: int
    open: NotRequired[int]
    batches: NotRequired[int]
    outbox: NotRequired[int]
    needsApproval: bool
    id: str | None
    position: str | None
    indexed: NotRequired[Literal[False]]


class OrderedErasure(TypedDict):
    by: str
    at: str
    reason: str | None


class GivenBy(TypedDict):
    by: str
    at: str


class ErasureOutcome(TypedDict):
    erased: int
    batches: int
    alreadyErased: NotRequired[int]
    halves: int
    outbox: int
    refused: dict[str, int]


class SealedSpan(TypedDict):
    before: str | None
    after: str
    consistency: list[str]
    lastSeals: list[str]


class PrivateHalf(TypedDict):
    event: int
    salt: str
    half: str


class SegmentProof(TypedDict):
    position: str
    leaf: str
    text: str
    proof: str
    private: list[PrivateHalf]


class TaskProof(TypedDict):
    format: Literal["waybill-proof"]
    version: int
    task: str
    truncated: bool
    segments: list[SegmentProof]


class ErasedItem(TypedDict):
    kind: Literal["task", "batch"]
    id: str
    position: str


class LogAudited(TypedDict):
    since: str
    position: str


class CopyPlace(TypedDict):
    where: str
    until: str | None
    says: str


class StatedOfErasure(TypedDict):
    at: str
    audited: LogAudited | None
    toRun: list[str]
    copies: list[CopyPlace]


class ErasureCertificate(TypedDict):
    format: Literal["waybill-erasure-certificate"]
    version: int
    erasure: str
    ordered: OrderedErasure
    approved: GivenBy | None
    result: ErasureOutcome
    seals: SealedSpan
    order: TaskProof
    erased: list[ErasedItem]
    segments: list[SegmentProof]
    next: str | None
    stated: StatedOfErasure


class MailOrder(TypedDict):
    to: list[str]
    subject: str
    text: str


class WebhookOrder(TypedDict):
    url: str
    secret: str
    type: str
    subject: NotRequired[str]
    data: Any


class DeliveryRequest(TypedDict):
    reason: NotRequired[str]
    id: NotRequired[str]
    mail: NotRequired[MailOrder]
    webhook: NotRequired[WebhookOrder]


class Recipient(TypedDict):
    mail: NotRequired[MailTarget]
    webhook: NotRequired[WebhookTarget]


class ToldChanges(TypedDict):
    queue: str
    to: Recipient


EventPattern = TypedDict(
    "EventPattern",
    {
        "types": 'list[Literal["TaskPrepared", "TaskEnqueued", "TaskEnqueueRejected", "TaskSubmitted", "TaskHeld", "TaskReleased", "TaskClaimed", "TaskStepCompleted", "TaskDataRecorded", "TaskErrorReported", "TaskAttemptFailed", "TaskRetryScheduled", "TaskDecisionRequested", "TaskFailed", "TaskRetried", "TaskSucceeded", "TaskLeaseExpired", "TaskLateReportRefused", "TaskReturned", "TaskWaited", "TaskSignalled", "TaskWaitEnded", "TaskCancelRequested", "TaskCancelled", "TaskCancelConfirmed", "TaskAborted", "TaskSuperseded", "TaskReprioritised", "TaskRescheduled", "TaskDeadlineMissed", "TaskPayloadAmended", "TaskSubmissionGathered", "TaskPrerequisitesChanged", "TaskDeleted", "TaskOverruled", "TaskRestored", "TaskErased", "QueueDefined", "QueuePolicyChanged", "QueuePaused", "QueueResumed", "QueueIntakeClosed", "QueueIntakeOpened", "QueueFinished", "QueueReopened", "QueueWaiting", "QueueActivated", "QueueDeleted", "TriggerFailed", "HoldPlaced", "HoldLifted", "ResourceDefined", "ResourceShort", "ResourceFree", "ResourceDeleted", "SystemDrained", "SystemQuiesced", "SystemResumed", "BatchCreated", "BatchOpened", "BatchCompleted", "BatchFailed", "BatchPlanFailed", "BatchReportRequested", "BatchReported", "BatchTaskReported", "BatchRerun", "BatchAborted", "BatchErased", "BatchDeleted", "QueueUnattended", "QueueAttended", "BuildBegan", "FailureGroupResolved", "FailureGroupIgnored", "FailureGroupReopened", "FailureGroupReturned", "LogLossAccepted", "NotaryKeyRetired", "ViewSaved", "ViewDeleted"]]',
        "queue": NotRequired['str'],
        "exhausted": NotRequired['bool'],
        "from": NotRequired['str'],
    },
)


class InboundDelivery(TypedDict):
    scheme: Literal["standard", "github", "stripe"]
    secret: str
    headers: NotRequired[list[str]]


class TriggeredTask(TypedDict):
    kind: NotRequired[str]
    key: NotRequired[str]
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    description: NotRequired[str]
    payload: NotRequired[Any]
    queue: str
    needs: NotRequired[dict[str, str | float | bool]]
    ttlMs: NotRequired[int]
    deadlineMs: NotRequired[int]


class TriggerDefinition(TypedDict):
    cron: NotRequired[str]
    timeZone: NotRequired[str]
    missed: NotRequired[Literal["each", "latest", "skip"]]
    queue: NotRequired[str]
    batchSize: NotRequired[int]
    every: NotRequired[int]
    leaseMs: NotRequired[int]
    changes: NotRequired[ToldChanges]
    event: NotRequired[EventPattern]
    delivery: NotRequired[InboundDelivery]
    mail: NotRequired[MailTarget]
    webhook: NotRequired[WebhookTarget]
    notify: NotRequired[Recipient]
    task: NotRequired[TriggeredTask]
    description: NotRequired[str]
    reason: NotRequired[str]


LeftOut = TypedDict(
    "LeftOut",
    {
        "count": 'int',
        "atLeast": NotRequired['bool'],
        "from": 'str',
        "to": 'str',
    },
)


class TriggerReceipt(TypedDict):
    id: str
    position: str
    indexed: NotRequired[Literal[False]]
    revision: int
    recorded: bool
    dropped: NotRequired[LeftOut]


class TriggerFiring(TypedDict):
    occurrence: str
    task: str
    firedAt: str


SkippedOccurrences = TypedDict(
    "SkippedOccurrences",
    {
        "count": 'int',
        "atLeast": NotRequired['bool'],
        "from": 'str',
        "to": 'str',
        "total": 'int',
    },
)


class TriggerFailure(TypedDict):
    failures: int
    problem: Problem
    retryAt: str | None


class TriggerView(TypedDict):
    cron: NotRequired[str]
    timeZone: NotRequired[str]
    missed: NotRequired[Literal["each", "latest", "skip"]]
    queue: NotRequired[str]
    batchSize: NotRequired[int]
    every: NotRequired[int]
    leaseMs: NotRequired[int]
    changes: NotRequired[ToldChanges]
    event: NotRequired[EventPattern]
    delivery: NotRequired[InboundDelivery]
    mail: NotRequired[MailTarget]
    webhook: NotRequired[WebhookTarget]
    notify: NotRequired[Recipient]
    task: NotRequired[TriggeredTask]
    name: str
    state: Literal["enabled", "disabled"]
    description: str
    words: str
    next: list[str]
    last: TriggerFiring | None
    lastItem: str | None
    skipped: SkippedOccurrences | None
    failure: TriggerFailure | None
    revision: int
    position: str
    asOf: NotRequired[AsOf]


class TriggerList(TypedDict):
    items: list[TriggerView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class FireTriggerRequest(TypedDict):
    reason: NotRequired[str]
    id: NotRequired[str]


ReplayRequest = TypedDict(
    "ReplayRequest",
    {
        "reason": NotRequired['str'],
        "from": 'str',
        "to": NotRequired['str'],
        "yes": NotRequired['bool'],
        "preview": NotRequired['bool'],
    },
)


class StartedReplay(TypedDict):
    count: int | None
    after: str
    upTo: str
    id: str | None
    position: str | None
    indexed: NotRequired[Literal[False]]


FailureGroupSummary = TypedDict(
    "FailureGroupSummary",
    {
        "id": 'str',
        "state": 'Literal["open", "resolved", "ignored"]',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
        "message": 'str | None',
        "title": 'str | None',
        "failedTasks": 'int',
        "failedNow": 'int | None',
        "failedAttempts": 'int',
        "firstSeenAt": 'str',
        "lastSeenAt": 'str',
        "queues": 'list[str]',
        "returns": 'int',
        "lastTask": 'str',
    },
)


class FailureGroupList(TypedDict):
    items: list[FailureGroupSummary]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class SaidOfFailureGroup(TypedDict):
    by: str
    at: str
    reason: str | None


class RepairOfFailureGroup(TypedDict):
    by: str
    at: str
    reason: str | None
    build: str | None
    operation: str | None


class FailureGroupReturn(TypedDict):
    at: str
    task: str
    queue: str


class FailuresAt(TypedDict):
    at: str
    failedTasks: int
    failedAttempts: int


class FailureExample(TypedDict):
    task: str
    queue: str
    kind: str


class FailureShare(TypedDict):
    name: str
    count: int


class PrecedingBuild(TypedDict):
    queue: str
    build: str
    at: str


class PrecedingPolicy(TypedDict):
    queue: str
    version: int
    by: str
    at: str


class PrecedingOperation(TypedDict):
    id: str
    command: str
    by: str
    at: str


class PrecedingChanges(TypedDict):
    build: PrecedingBuild | None
    policy: PrecedingPolicy | None
    operation: PrecedingOperation | None


FailureGroupView = TypedDict(
    "FailureGroupView",
    {
        "id": 'str',
        "state": 'Literal["open", "resolved", "ignored"]',
        "class": 'Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"]',
        "message": 'str | None',
        "title": 'str | None',
        "failedTasks": 'int',
        "failedNow": 'int | None',
        "failedAttempts": 'int',
        "firstSeenAt": 'str',
        "lastSeenAt": 'str',
        "queues": 'list[str]',
        "returns": 'int',
        "lastTask": 'str',
        "frame": 'str | None',
        "said": 'SaidOfFailureGroup | None',
        "lastRepair": 'RepairOfFailureGroup | None',
        "returned": 'FailureGroupReturn | None',
        "hours": 'list[FailuresAt]',
        "minutes": 'list[FailuresAt] | None',
        "examples": 'list[FailureExample]',
        "kinds": 'list[FailureShare]',
        "workers": 'list[FailureShare]',
        "workerCount": 'int',
        "builds": 'list[str]',
        "preceded": 'PrecedingChanges',
        "asOf": NotRequired['AsOf'],
    },
)


class ResolveFailureGroupRequest(TypedDict):
    reason: NotRequired[str]
    build: NotRequired[str]
    operation: NotRequired[str]


class HoldDefinition(TypedDict):
    labels: dict[str, str]
    reason: NotRequired[str]
    forbidsErasure: NotRequired[bool]


class HoldView(TypedDict):
    name: str
    state: Literal["placed", "lifted"]
    labels: dict[str, str]
    reason: str | None
    placedBy: str
    placedAt: str
    liftedBy: str | None
    liftedAt: str | None
    holds: int | None
    forbidsErasure: bool
    revision: int
    position: str
    asOf: NotRequired[AsOf]


class HoldList(TypedDict):
    items: list[HoldView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class ResourceDefinition(TypedDict):
    description: NotRequired[str]
    unit: NotRequired[str | None]
    staleAfterSeconds: NotRequired[int]
    reason: NotRequired[str]


class ResourceNeed(TypedDict):
    queue: str
    step: str
    below: float
    met: bool
    waiting: int


class ResourceView(TypedDict):
    name: str
    description: str
    unit: str | None
    staleAfterSeconds: int
    state: Literal["measured", "stale"] | None
    value: float | None
    measuredAt: str | None
    measuredBy: str | None
    definedBy: str
    definedAt: str
    needs: list[ResourceNeed]
    revision: int
    position: str
    asOf: NotRequired[AsOf]


class ResourceList(TypedDict):
    items: list[ResourceView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class Measure(TypedDict):
    value: float


class MeasureResult(TypedDict):
    resource: str
    value: float
    measuredAt: str
    unmet: list[float]


class ViewDefinition(TypedDict):
    q: NotRequired[str]
    overdue: NotRequired[bool]
    sort: NotRequired[Literal["deadline", "newest"]]
    reason: NotRequired[str]


class SavedView(TypedDict):
    name: str
    q: str
    overdue: bool
    sort: Literal["deadline", "newest"] | None
    savedBy: str
    savedAt: str
    revision: int
    position: str


class SavedViewList(TypedDict):
    items: list[SavedView]


class ClaimRequest(TypedDict):
    worker: str
    server: NotRequired[str]
    build: NotRequired[str]
    max: NotRequired[int]
    stuck: NotRequired[int]
    steps: NotRequired[list[str]]
    offers: NotRequired[dict[str, str | float | bool]]
    leaseMs: NotRequired[int]
    claimId: NotRequired[str]
    waitMs: NotRequired[int]


class ClaimedTask(TypedDict):
    taskId: str
    queue: str
    kind: str
    key: str | None
    reference: str | None
    priority: int
    labels: dict[str, str]
    description: str | None
    enqueuedAt: str
    attempt: int
    token: str
    claimId: str
    claimEvent: str
    leaseMs: int
    deadline: str
    payload: Any
    step: str | None
    lastSuccessfulStep: str | None
    steps: NotRequired[list[str]]
    items: NotRequired[list[ClaimedTask]]
    plans: NotRequired[str]
    traceparent: NotRequired[str]
    data: dict[str, Any]


class QueueConsumer(TypedDict):
    worker: str
    server: str
    taskId: str
    until: str


class ClaimRefusal(TypedDict):
    code: Literal["QUEUE_HELD", "QUEUE_CONFLICTED", "SERVER_FULL", "QUEUE_FULL", "LABEL_FULL", "RATE_REACHED", "HOLDER_FULL"]
    detail: str
    consumer: NotRequired[QueueConsumer]
    running: NotRequired[int | list[TaskInHand]]


class ClaimResult(TypedDict):
    tasks: list[ClaimedTask]
    position: str | None
    indexed: NotRequired[Literal[False]]
    refusal: NotRequired[ClaimRefusal]


class TaskStart(TypedDict):
    kind: NotRequired[str]
    key: NotRequired[str]
    priority: NotRequired[int]
    labels: NotRequired[dict[str, str]]
    description: NotRequired[str]
    payload: NotRequired[Any]
    payloadSha256: NotRequired[str]
    id: NotRequired[str]
    reference: NotRequired[str]
    deadlineAt: NotRequired[str]
    context: NotRequired[str]
    auditContext: NotRequired[str]
    data: NotRequired[dict[str, Any]]
    queue: str
    worker: str
    server: NotRequired[str]
    build: NotRequired[str]
    leaseMs: NotRequired[int]


class StartedTask(TypedDict):
    task: ClaimedTask
    position: str
    indexed: NotRequired[Literal[False]]


class TaskLogLine(TypedDict):
    number: int
    at: str
    level: Literal["debug", "info", "warn", "error"]
    text: str
    fields: NotRequired[dict[str, Any]]


class SingleHeartbeat(TypedDict):
    token: str
    progress: NotRequired[list[ProgressBar]]
    log: NotRequired[list[TaskLogLine]]


class ExtendedLease(TypedDict):
    taskId: str
    kind: Literal["extended"]
    deadline: str
    cancelRequested: bool


class Heartbeat(TypedDict):
    taskId: str
    token: str
    progress: NotRequired[list[ProgressBar]]
    log: NotRequired[list[TaskLogLine]]


class ExtendMany(TypedDict):
    items: list[Heartbeat]


class LostLease(TypedDict):
    taskId: str
    kind: Literal["lost"]


class ExtendManyResult(TypedDict):
    results: list[ExtendedLease | LostLease]


class LeaseRef(TypedDict):
    taskId: str
    token: str


class CheckBatch(TypedDict):
    items: list[LeaseRef]


class StandingLease(TypedDict):
    taskId: str
    kind: Literal["standing"]
    deadline: str
    cancelRequested: bool


class CheckManyResult(TypedDict):
    results: list[StandingLease | LostLease]


class Success(TypedDict):
    result: NotRequired[Any]
    noChange: NotRequired[bool]
    token: str


class EndOfWait(TypedDict):
    by: Literal["signal", "time"]
    data: NotRequired[Any]


class Settlement(TypedDict):
    id: str
    position: str
    indexed: NotRequired[Literal[False]]
    revision: int
    recorded: bool
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    step: NotRequired[str]
    lastSuccessfulStep: NotRequired[str | None]
    waited: NotRequired[EndOfWait]


ErrorReport = TypedDict(
    "ErrorReport",
    {
        "message": 'str',
        "class": NotRequired['Literal["business", "application", "transient", "bug"]'],
        "details": NotRequired['Any'],
    },
)


class Failure(TypedDict):
    error: ErrorReport
    final: NotRequired[bool]
    retryAfterMs: NotRequired[int]
    token: str


class StepCompletion(TypedDict):
    step: str
    then: Literal["continue", "offer"]
    result: NotRequired[Any]
    data: NotRequired[dict[str, Any]]
    priority: NotRequired[int]
    mark: NotRequired[bool]
    token: str


class DataRecord(TypedDict):
    data: dict[str, Any]
    token: str


class ReportedError(TypedDict):
    error: ErrorReport
    token: str


class Return(TypedDict):
    afterMs: NotRequired[int]
    unstarted: NotRequired[bool]
    unknownKind: NotRequired[bool]
    token: str


class WaitRequest(TypedDict):
    signal: NotRequired[str]
    number: int
    timeoutMs: int
    token: str


class LeaseProof(TypedDict):
    token: str


class OwnCancellation(TypedDict):
    reason: NotRequired[str]
    token: str


class SucceedVerdict(TypedDict):
    result: NotRequired[Any]
    noChange: NotRequired[bool]
    type: Literal["succeed"]


class FailVerdict(TypedDict):
    error: ErrorReport
    final: NotRequired[bool]
    retryAfterMs: NotRequired[int]
    type: Literal["fail"]


class CompleteStepVerdict(TypedDict):
    step: str
    then: Literal["continue", "offer"]
    result: NotRequired[Any]
    data: NotRequired[dict[str, Any]]
    priority: NotRequired[int]
    mark: NotRequired[bool]
    type: Literal["completeStep"]


class RecordVerdict(TypedDict):
    data: dict[str, Any]
    type: Literal["record"]


class ReportErrorVerdict(TypedDict):
    error: ErrorReport
    type: Literal["reportError"]


class ReturnVerdict(TypedDict):
    afterMs: NotRequired[int]
    unstarted: NotRequired[bool]
    unknownKind: NotRequired[bool]
    type: Literal["return"]


class WaitVerdict(TypedDict):
    signal: NotRequired[str]
    number: int
    timeoutMs: int
    type: Literal["wait"]


class ConfirmCancelVerdict(TypedDict):
    type: Literal["confirmCancel"]


class CancelVerdict(TypedDict):
    reason: NotRequired[str]
    type: Literal["cancel"]


class SettleItem(TypedDict):
    taskId: str
    token: str
    verdict: SucceedVerdict | FailVerdict | CompleteStepVerdict | RecordVerdict | ReportErrorVerdict | ReturnVerdict | WaitVerdict | ConfirmCancelVerdict | CancelVerdict
    traceparent: NotRequired[str]


class SettleMany(TypedDict):
    items: list[SettleItem]


class SettleManyResult(TypedDict):
    results: list[Settlement | RefusedItem]
    position: str | None
    indexed: NotRequired[Literal[False]]


class TurnRequest(TypedDict):
    worker: str
    server: NotRequired[str]
    build: NotRequired[str]
    max: NotRequired[int]
    stuck: NotRequired[int]
    steps: NotRequired[list[str]]
    offers: NotRequired[dict[str, str | float | bool]]
    leaseMs: NotRequired[int]
    claimId: NotRequired[str]
    items: list[SettleItem]


class TurnResult(TypedDict):
    tasks: list[ClaimedTask]
    position: str | None
    indexed: NotRequired[Literal[False]]
    refusal: NotRequired[ClaimRefusal]
    results: list[Settlement | RefusedItem]
    problem: NotRequired[Problem]


class EventPage(TypedDict):
    items: list[EventView]
    nextCursor: str | None
    asOf: AsOf


class ActivityItem(TypedDict):
    position: str
    at: str
    by: str
    agent: NotRequired[str]
    reason: str | None
    category: Literal["task", "queue", "consumer", "trigger", "hold", "resource", "system", "batch", "attendance", "build", "failure", "notary", "view"]
    type: Literal["TaskPrepared", "TaskEnqueued", "TaskEnqueueRejected", "TaskSubmitted", "TaskHeld", "TaskReleased", "TaskClaimed", "TaskStepCompleted", "TaskDataRecorded", "TaskErrorReported", "TaskAttemptFailed", "TaskRetryScheduled", "TaskDecisionRequested", "TaskFailed", "TaskRetried", "TaskSucceeded", "TaskLeaseExpired", "TaskLateReportRefused", "TaskReturned", "TaskWaited", "TaskSignalled", "TaskWaitEnded", "TaskCancelRequested", "TaskCancelled", "TaskCancelConfirmed", "TaskAborted", "TaskSuperseded", "TaskReprioritised", "TaskRescheduled", "TaskDeadlineMissed", "TaskPayloadAmended", "TaskSubmissionGathered", "TaskPrerequisitesChanged", "TaskDeleted", "TaskOverruled", "TaskRestored", "TaskErased", "TaskReservationAbandoned", "QueueDefined", "QueuePolicyChanged", "QueuePaused", "QueueResumed", "QueueIntakeClosed", "QueueIntakeOpened", "QueueFinished", "QueueReopened", "QueueWaiting", "QueueActivated", "QueueDeleted", "QueueReservationAbandoned", "QueueTaken", "QueueTakenOver", "QueueAnomalyFound", "QueueLateReportRefused", "TriggerDefined", "TriggerChanged", "TriggerEnabled", "TriggerDisabled", "TriggerDeleted", "TriggerFired", "TriggerSkipped", "TriggerFailed", "TriggerGaveUp", "HoldPlaced", "HoldLifted", "ResourceDefined", "ResourceShort", "ResourceFree", "ResourceDeleted", "SystemDrained", "SystemQuiesced", "SystemResumed", "BatchCreated", "BatchOpened", "BatchCompleted", "BatchFailed", "BatchPlanFailed", "BatchReportRequested", "BatchReported", "BatchTaskReported", "BatchRerun", "BatchAborted", "BatchErased", "BatchDeleted", "BatchReservationAbandoned", "QueueUnattended", "QueueAttended", "BuildBegan", "FailureGroupResolved", "FailureGroupIgnored", "FailureGroupReopened", "FailureGroupReturned", "LogLossAccepted", "NotaryKeyRetired", "ViewSaved", "ViewDeleted"]
    subject: str
    queue: str | None
    correlationId: str
    policyVersion: NotRequired[int]
    count: int


class ActivityPage(TypedDict):
    items: list[ActivityItem]
    nextCursor: str | None


class ComparedTask(TypedDict):
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    step: str | None
    errorClass: Literal["business", "application", "transient", "bug", "lost", "timeout", "expired"] | None
    priority: int


TaskChange = TypedDict(
    "TaskChange",
    {
        "task": 'str',
        "queue": 'str',
        "kind": 'str',
        "reference": 'str | None',
        "batch": 'str | None',
        "from": 'ComparedTask | None',
        "to": 'ComparedTask',
        "at": 'str',
    },
)


class ChangesPage(TypedDict):
    since: AsOf
    until: AsOf
    hidden: int
    items: list[TaskChange]
    nextCursor: str | None


MovedTasks = TypedDict(
    "MovedTasks",
    {
        "queue": 'str',
        "from": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"] | None',
        "to": 'Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]',
        "tasks": 'int',
    },
)


class StateAtBoth(TypedDict):
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"]
    before: int
    after: int


class ChangesSum(TypedDict):
    since: AsOf
    until: AsOf
    hidden: int
    moves: list[MovedTasks] | None
    states: list[StateAtBoth] | None


class ChangedThing(TypedDict):
    category: Literal["task", "queue", "consumer", "trigger", "hold", "resource", "system", "batch", "attendance", "build", "failure", "notary", "view"]
    name: str


class ChangeNotice(TypedDict):
    position: str
    type: Literal["Changed"]
    everything: bool
    queues: list[str] | None
    tasks: list[str] | None
    others: list[ChangedThing] | None


class DrainView(TypedDict):
    intake: Literal["open", "closed"]
    running: Literal["finish", "cancel"]
    reason: str | None
    by: str
    since: str
    quiescedAt: str | None


class QuarantinedTask(TypedDict):
    taskId: str
    queue: str | None
    state: Literal["prepared", "pending", "held", "running", "undecided", "failed", "succeeded", "cancelled", "aborted", "superseded", "deleted"] | None
    position: str | None
    reason: str
    since: str
    until: str | None


class FailingTarget(TypedDict):
    target: str
    failures: int
    error: str
    failedAt: str
    until: str


class EventPutAside(TypedDict):
    reaction: str
    trigger: str | None
    position: str
    reason: str
    tries: int
    since: str
    until: str | None


class LeaderView(TypedDict):
    role: str
    process: str
    state: Literal["leading", "vacant"]
    since: str
    until: str
    workedAt: str | None
    workedSeconds: float | None


class SystemView(TypedDict):
    state: Literal["running", "draining"]
    drain: DrainView | None
    running: int
    runningInternal: NotRequired[int]
    stopped: int
    stoppedInternal: NotRequired[int]
    notResumed: int
    quarantined: int
    quarantinedTasks: list[QuarantinedTask]
    failingItems: int
    refusedOutboxRows: int
    mendedRows: int
    skippedEvents: int
    doubledEvents: int
    failingTriggers: int
    skippedOccurrences: int
    failingTargets: int
    firstFailingTargets: list[FailingTarget]
    eventsPutAside: int
    firstEventsPutAside: list[EventPutAside]
    lastSweepSeconds: float | None
    leaders: list[LeaderView]
    eventStoreVersion: str | None


class DrainState(TypedDict):
    state: Literal["running", "draining"]
    drain: DrainView | None
    asOf: NotRequired[AsOf]


class DrainRequest(TypedDict):
    reason: NotRequired[str]
    intake: NotRequired[Literal["open", "closed"]]
    running: NotRequired[Literal["finish", "cancel"]]


class ResumeRequest(TypedDict):
    reason: NotRequired[str]
    stopped: NotRequired[bool]


class QueueStats(TypedDict):
    queue: str
    internal: bool
    counts: dict[str, Any]
    failuresByClass: dict[str, Any]
    waitingMs: DurationStats
    runningMs: DurationStats
    oldestWaitingMs: int | None
    longestRunMs: int | None
    overdue: int | None
    deadlinesMissed: int
    unheardLosses: int
    lastPolledAt: str | None
    unattended: bool
    asOfPosition: str


class QueueStatsList(TypedDict):
    items: list[QueueStats]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class WorkerView(TypedDict):
    name: str
    server: str
    build: str | None
    state: Literal["alive", "gone"]
    queues: list[str]
    firstSeenAt: str
    lastSeenAt: str
    stuck: int
    offers: dict[str, str | float | bool]
    running: int
    claimed: int
    succeeded: int
    failed: int
    lost: int
    returned: int


class WorkerList(TypedDict):
    items: list[WorkerView]
    nextCursor: str | None
    asOf: NotRequired[AsOf]


class ProjectionView(TypedDict):
    name: str
    version: int
    position: str
    head: str
    lagEvents: int | None
    lagSeconds: float
    status: Literal["running", "stopped"]
    error: str | None
    stoppedAt: str | None


class ProjectionList(TypedDict):
    items: list[ProjectionView]


class RebuildRequest(TypedDict):
    reason: NotRequired[str]
    mode: Literal["diff", "switch", "back"]


class SealingStopped(TypedDict):
    since: str
    reason: str


class LostLog(TypedDict):
    size: int
    note: str


class LogBefore(TypedDict):
    why: Literal["loss", "newKey"]
    position: str
    at: str
    by: str
    reason: str | None
    name: str
    size: int
    note: str


class SealView(TypedDict):
    size: int
    position: str
    root: str
    madeAt: str
    witnesses: list[str]
    note: str


class LogView(TypedDict):
    state: Literal["unsealed", "sealing", "stopped"]
    name: str | None
    key: str | None
    stopped: SealingStopped | None
    lost: LostLog | None
    before: LogBefore | None
    size: int
    position: str
    seal: SealView | None
    lagSeconds: float | None
    audited: LogAudited | None
    witnessRefusals: int


class SealPage(TypedDict):
    items: list[SealView]
    nextCursor: str | None


class LossRequest(TypedDict):
    size: int
    reason: str


class LogEnd(TypedDict):
    why: Literal["loss", "newKey"]
    position: str
    at: str
    by: str
    reason: str | None
    size: int | None
    note: str | None


class LogKeyView(TypedDict):
    name: str
    key: str | None
    end: LogEnd | None


class LogKeyList(TypedDict):
    items: list[LogKeyView]


class NewKeyRequest(TypedDict):
    log: str
    reason: str


class LogPart(TypedDict):
    type: Literal["Segment", "LeftOut"]
    position: str
    leaf: NotRequired[str]
    text: NotRequired[str]
    private: NotRequired[list[PrivateHalf]]
    leaves: NotRequired[int]
    hashes: NotRequired[list[str]]


class QuotaView(TypedDict):
    requestsPerMinute: NotRequired[int]
    bytesPerMinute: NotRequired[int]
    tasksPerMinute: NotRequired[int]
    recipientsPerMinute: NotRequired[int]
    runningTasks: NotRequired[int]


class ApiKeyView(TypedDict):
    id: str
    name: str
    may: list[str]
    expiresAt: str | None
    quota: QuotaView | None
    lastUsedAt: str | None


class ApiKeyList(TypedDict):
    items: list[ApiKeyView]


class OwnKeyView(TypedDict):
    id: str
    name: str
    expiresAt: str | None
    quota: QuotaView | None


class MeView(TypedDict):
    actor: str
    person: str | None
    key: OwnKeyView | None
    may: list[str]
    queues: list[str] | None


class TransactionCommand(TypedDict):
    operation: Literal["setLimit", "unsetLimit", "defineQueue", "deleteQueue", "changePolicy", "pauseQueue", "resumeQueue", "closeIntake", "openIntake", "finishQueue", "reopenQueue", "succeedTask", "failTask", "completeStep", "recordData", "reportError", "returnTask", "waitTask", "confirmCancel", "cancelRun", "enqueueTask", "submitTask", "holdTask", "releaseTask", "retryTask", "decideTask", "cancelTask", "abortTask", "prioritiseTask", "rescheduleTask", "amendTask", "annotateTask", "signalTask", "arrangeTask", "overruleTask", "deleteTask"]
    queue: NotRequired[str]
    id: NotRequired[str]
    ifVersion: NotRequired[int]
    body: NotRequired[Any]


class Transaction(TypedDict):
    commands: list[TransactionCommand]


class TransactionResult(TypedDict):
    id: str
    revision: int
    recorded: bool


class TransactionReceipt(TypedDict):
    results: list[TransactionResult]
    position: str
    indexed: NotRequired[Literal[False]]


class PreviewRequest(TypedDict):
    operation: Literal["createBatch", "releaseBatch", "requestReport", "rerunBatch", "openBatch", "abortBatch", "deleteBatch", "startDelivery", "resolveFailureGroup", "ignoreFailureGroup", "reopenFailureGroup", "placeHold", "liftHold", "acceptLoss", "retireLogKey", "runTaskAgain", "defineResource", "deleteResource", "setLimit", "unsetLimit", "defineQueue", "deleteQueue", "changePolicy", "pauseQueue", "resumeQueue", "closeIntake", "openIntake", "finishQueue", "reopenQueue", "enqueueTask", "drainSystem", "resumeSystem", "rebuildProjection", "submitTask", "holdTask", "releaseTask", "retryTask", "decideTask", "cancelTask", "abortTask", "prioritiseTask", "rescheduleTask", "amendTask", "annotateTask", "signalTask", "arrangeTask", "overruleTask", "deleteTask", "defineTrigger", "deleteTrigger", "enableTrigger", "disableTrigger", "fireTrigger", "saveView", "deleteView", "runTransaction"]
    on: NotRequired[str]
    ifVersion: NotRequired[int]
    body: NotRequired[Any]


class PreviewedEvent(TypedDict):
    type: str
    version: int
    data: NotRequired[dict[str, Any]]


PreviewedChange = TypedDict(
    "PreviewedChange",
    {
        "stream": 'str',
        "id": 'str',
        "from": 'str | None',
        "to": 'str | None',
        "events": 'list[PreviewedEvent]',
    },
)


class CommandPreview(TypedDict):
    position: str
    changes: list[PreviewedChange]
    takenAlong: int
    unblocked: int
    triggers: NotRequired[dict[str, int]]


class DatabaseCheck(TypedDict):
    status: Literal["up"]


class ProjectionsCheck(TypedDict):
    status: Literal["up", "degraded"]
    lagSeconds: dict[str, float]
    stopped: NotRequired[list[str]]


class SweeperCheck(TypedDict):
    status: Literal["up"]
    lastSweepSeconds: float | None


class RoomsCheck(TypedDict):
    status: Literal["up", "degraded"]
    crowded: NotRequired[list[str]]


class PayloadsCheck(TypedDict):
    status: Literal["up", "degraded"]
    message: NotRequired[str]


class ReadinessChecks(TypedDict):
    database: DatabaseCheck
    projections: ProjectionsCheck
    sweeper: SweeperCheck
    rooms: RoomsCheck
    payloads: PayloadsCheck


class Readiness(TypedDict):
    status: Literal["ok", "degraded"]
    details: ReadinessChecks


class TakenDelivery(TypedDict):
    task: str
    isNew: bool
