// Generated from openapi.json by scripts/contract-types.mjs: `npm run openapi`.

export interface paths {
  '/v1/queues/{queue}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a queue */
    get: operations['getQueue'];
    /**
     * Define a queue
     * @description Creates the queue. An existing queue stays unchanged, whoever changed it since, and the answer describes it; `replace` replaces its policy.
     */
    put: operations['defineQueue'];
    post?: never;
    /** Delete a queue without open tasks */
    delete: operations['deleteQueue'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List queues
     * @description Ordered by name.
     */
    get: operations['listQueues'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/tally': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Count a queue's tasks by state */
    get: operations['tallyQueue'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/policy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a queue's policy
     * @description The ETag is its version.
     */
    get: operations['getPolicy'];
    /**
     * Change fields of a queue's policy
     * @description Fields that you leave out keep their values.
     */
    put: operations['changePolicy'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/versions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the versions of a queue's policy
     * @description Who made each, when and why, and what it changed. The newest first; also of a deleted queue.
     */
    get: operations['listPolicyVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/versions/diff': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show in which fields two versions of a queue's policy differ */
    get: operations['diffPolicyVersions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/blame': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show who set each field of a queue's policy
     * @description For each field of the newest version: the version that set it, its actor, time and reason.
     */
    get: operations['blamePolicy'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Pause a queue */
    post: operations['pauseQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Resume a queue */
    post: operations['resumeQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/close-intake': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Close the intake of a queue */
    post: operations['closeIntake'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/open-intake': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Open the intake of a queue */
    post: operations['openIntake'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/finish': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Finish a queue whose tasks have all ended */
    post: operations['finishQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/reopen': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Reopen a finished queue */
    post: operations['reopenQueue'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a queue's statistics
     * @description With `from` and `to`, also shows what happened in that interval, in buckets of equal length.
     */
    get: operations['getQueueStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/waits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show where the waiting time in a queue went
     * @description Every time in the range in which a task of the queue was open and did not run, summed by the reason that `GET /v1/tasks/{id}/wait` gives. Also of tasks that have ended or left the lists since, and of a deleted queue. Read from the log: at most 10,000 tasks that may have waited, for at most 10 seconds.
     */
    get: operations['getQueueWaits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/retention': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Preview which tasks leave the lists of a queue
     * @description Counts the ended tasks whose time in the lists is over by the queue's policy or, if you give days for some states, by these alone. Changes nothing.
     */
    get: operations['getRetention'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enqueue a task
     * @description Repeating a submission with the same id has no further effect.
     */
    post: operations['enqueueTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enqueue up to 1000 tasks
     * @description Returns one result per item, in order. A refused item has its problem and does not affect the others.
     */
    post: operations['enqueueTasks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/suggestions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Suggest how a search of tasks goes on
     * @description What can stand at the end of the search: fields, queues, states, kinds, labels, workers, steps, builds, groups of failures and paths of payloads, as far as they are in policies or in the 2,000 latest tasks. Of the queues that the search names before, or else of all that the API key is for.
     */
    get: operations['suggestTerms'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List tasks
     * @description In the order of their ids: those that Waybill makes follow the time of the submission, others (of the caller, or derived, as in batches and imports) do not. With `state=failed`, the latest failure first; with `sort=deadline`, the earliest deadline first; with `sort=newest`, the greatest id first. As of a moment (`asOf`) always by id. A page looks at a bounded number of tasks, so it may have fewer than `limit`, even none, and go on.
     */
    get: operations['listTasks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a queue's failed tasks
     * @description The latest failure comes first; as of a moment (`asOf`), they are in the order of their ids.
     */
    get: operations['listFailedTasks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a task */
    get: operations['getTask'];
    put?: never;
    post?: never;
    /**
     * Delete a task
     * @description The history of the task stays.
     */
    delete: operations['deleteTask'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/payload': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a task's payload
     * @description Including amendments, and also if it is stored outside the log, which nothing else reads but claims: then it may be gone, changed or out of reach. Null after an erasure.
     */
    get: operations['getTaskPayload'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/why': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain why a task is not running
     * @description Lists every reason, from the same data that a claim uses. As of a moment (`asOf`): the reasons of then, by the policy of then and the rules of today, and no commands. An API key for some queues sees of what is outside of them only the state.
     */
    get: operations['getTaskExplanation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/wait': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show where the waiting time of a task went
     * @description Every time in which it was open and did not run, in intervals with the reason that `why` would have given: they add up to the wait to the millisecond. Read from the log, at the price of the history of the task and of the events of its queue while nothing else kept it. An API key for some queues sees of what is outside of them only the state.
     */
    get: operations['getTaskWait'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show everything that happened to a task */
    get: operations['getTaskHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/graph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show what a task waits for, and what waits for it
     * @description An API key for some queues sees of what is outside of them only the state.
     */
    get: operations['getTaskGraph'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/result': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Wait for the result of a task
     * @description Answers as soon as the task has ended, and after `waitMs` at the latest: then `ended` is false, and what becomes of the task is unknown. Read from the log, so it reflects every command that was answered before.
     */
    get: operations['getTaskResult'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/prerequisites': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the results of what a task waited for
     * @description For its worker, above all. A page has as many results as fit in 4 MiB with the histories of their tasks, so it may have fewer than `limit`. An API key for some queues sees of what is outside of them only the state.
     */
    get: operations['listResults'];
    put?: never;
    /**
     * Change what a task waits for
     * @description Adding what the task waits for already, or waiving what it does not wait for, has no effect.
     */
    post: operations['arrangeTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/follow-token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a token with which a browser may follow a task
     * @description The token opens `GET /v1/tasks/{id}/follow` of this task until it expires, and nothing else. Nothing is stored of it, so it cannot be taken back; a service without its secret refuses it.
     */
    post: operations['createFollowToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/follow': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow a task until it ends
     * @description Server-sent events, each with the task as it is then, without payload, labels, actors and reasons: at once, and after everything that happens to it. The stream ends with the task, and with its token. After 15 s without an event, a message has only an `id`. Several events that come together make one message.
     */
    get: operations['followTask'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the handlers of a task said
     * @description The last 1000 lines of the task, each for 14 days. To follow them, ask again with `nextCursor` and `waitMs` until `ended`: an answer comes as soon as there is a line, or the task has ended.
     */
    get: operations['getTaskLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/submit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Submit a prepared task */
    post: operations['submitTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/hold': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Hold a task
     * @description If the task is running, its worker is told to stop first.
     */
    post: operations['holdTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Release a held task
     * @description That of an erasure is its approval: it needs the permission `erase`, and somebody other than who gave the order: another API key, or another person whom a trusted proxy has signed in.
     */
    post: operations['releaseTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Retry a failed or cancelled task */
    post: operations['retryTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/decide': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Decide whether an undecided task is retried or fails */
    post: operations['decideTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a task; it can be retried
     * @description If the task is running, its worker is told to stop.
     */
    post: operations['cancelTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/abort': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Abort a task at once and for good */
    post: operations['abortTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/prioritise': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Change the priority of a task that is not running */
    post: operations['prioritiseTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/reschedule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Change when a task is due */
    post: operations['rescheduleTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/amend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Replace the payload of a task that is not running */
    post: operations['amendTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/data': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Change the data of a task
     * @description The data are what workers record for those who work on the task next. They can be changed in every state.
     */
    put: operations['annotateTask'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/overrule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a running attempt, whatever its worker reports
     * @description Later reports of the worker are refused.
     */
    post: operations['overruleTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/run-again': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run an ended task again, as a new task
     * @description Also one that succeeded. The first run keeps its record. The new task has its kind, key, reference, labels and priority, and names it (`rerunOf`). It waits for nothing, is due at once, and belongs to no batch. If the first run has failed, the success of the new task supersedes it.
     */
    post: operations['runTaskAgain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/lineage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show what led to a task, and what followed from it
     * @description Tasks and batches, as far as events name them as causes. What is outside of the queues of the API key is left out and counted.
     */
    get: operations['getTaskLineage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/overlaps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List attempts that overlapped with the next one of their task
     * @description Attempts that were lost, and whose workers reported after the next attempt had begun, the newest first. They show work that was perhaps done twice, not what it did.
     */
    get: operations['listOverlaps'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List batches
     * @description The newest first. With a search (`q`), a page looks at a bounded number of batches, so it may have fewer than `limit`, even none, and go on.
     */
    get: operations['listBatches'];
    put?: never;
    /**
     * Create a batch
     * @description Tasks that name the batch wait until it is opened. With `plan`, a task adds them and opens it. With `reportTo`, the API key also needs the permission `deliver` or `operate`.
     */
    post: operations['createBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Release the task that plans a batch
     * @description The answer is about that task. It is refused while a hold in force catches the task.
     */
    post: operations['releaseBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/report': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a failed batch report what has changed
     * @description Also while some of its tasks have not ended. The batch is completed or failed afterwards. If nothing has changed since the last report, it sends none.
     */
    post: operations['requestReport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/rerun': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run the failed tasks of a batch again, in a batch of their own
     * @description The answer is about the new batch, which reports like any other.
     */
    post: operations['rerunBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/open': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Open a batch, so that its tasks may run
     * @description All of its tasks, or none: the batch must have as many as the request says.
     */
    post: operations['openBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/abort': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Abort a batch and all its tasks that have not succeeded
     * @description Also those that are running, and the task that plans it.
     */
    post: operations['abortBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a batch */
    get: operations['getBatch'];
    put?: never;
    post?: never;
    /**
     * Delete a batch and all its tasks that have not succeeded
     * @description Also those that are running, and the task that plans it. The history of the tasks stays.
     */
    delete: operations['deleteBatch'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/reports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what a batch has reported
     * @description The newest first, each with the tasks that deliver it.
     */
    get: operations['listBatchReports'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/tally': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count a batch's tasks by queue, step and state
     * @description The service's own tasks (`waybill.*`) are in no batch: neither deliveries of its reports nor the plan of a batch that runs its failed tasks again are counted.
     */
    get: operations['tallyBatch'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/graph': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show the graph of a batch's tasks */
    get: operations['getBatchGraph'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the commands for many tasks
     * @description The newest first, with what became of each. An API key needs to be for all queues.
     */
    get: operations['listBulkOperations'];
    put?: never;
    /**
     * Give a command to many tasks, or delete a queue with its tasks
     * @description The operation is a task of the queue `waybill.operations` or `waybill.queue-deletions`, with progress and a result that counts the refusals. Cancel that task to stop it. A deletion that cannot be finished fails; retry its task to go on.
     */
    post: operations['startBulkOperation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations/{id}/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Undo a command for many tasks
     * @description Each task that nothing has changed since is again what it was before the operation, which must have ended; a task that ran waits. What workers did is not undone. The undo is an operation, of which there is one: the second request answers with the first. To undo an undo gives the command again.
     */
    post: operations['undoBulkOperation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/operations/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a command for many tasks
     * @description With what became of the tasks that have the command since.
     */
    get: operations['getBulkOperation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/erasures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erase what the tasks of a subject were about
     * @description The private halves of their events are erased: payloads, results, data, errors, keys, references, labels and descriptions, with what lists have of them. What happened stays, and so do the seals of the log. The erasure is a task of the queue `waybill.erasures`, with progress and a result that counts the refusals. Cancel that task to stop it. An API key needs to be for all queues.
     */
    post: operations['startErasure'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/erasures/{id}/certificate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Certify that an erasure was carried out
     * @description For whoever takes it along: `waybill verify` checks it without a service. Waits up to 20 s for the seal that covers the end of the erasure. It names where copies may be, and does not prove that there are none.
     */
    get: operations['getErasureCertificate'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send mail, or call a webhook
     * @description The delivery is a task of the queue `waybill.mail` or `waybill.deliveries`, which is tried for about a day. Retry that task to try again.
     */
    post: operations['startDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a trigger */
    get: operations['getTrigger'];
    /**
     * Define a trigger
     * @description Creates the trigger, or replaces its definition. Occurrences that came and have not made their tasks yet make those of the new definition, unless `dropped` names them. It makes a task, or tells what has changed, at every time of a pattern (`cron`), a job of what waits in a queue (`queue`), or a task or delivery of events (`event`).
     */
    put: operations['defineTrigger'];
    post?: never;
    /**
     * Delete a trigger
     * @description Its tasks stay. An occurrence that came and has not made its task yet is dropped.
     */
    delete: operations['deleteTrigger'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List triggers
     * @description Ordered by name.
     */
    get: operations['listTriggers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enable a trigger
     * @description Occurrences while it was disabled make no tasks.
     */
    post: operations['enableTrigger'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disable a trigger
     * @description An occurrence that came and has not made its task yet is dropped.
     */
    post: operations['disableTrigger'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}/fire': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Make a trigger's task now
     * @description Also while the trigger is disabled. Its occurrences stay as they are.
     */
    post: operations['fireTrigger'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Tell past events once more
     * @description Makes a new task or delivery of each event of a range that the trigger waits for, also while the trigger is disabled. Each has an id of its own; the CloudEvent has the id of the event, and `replay`. The replay is a task of the queue `waybill.past-events`. Cancel that task to stop it.
     */
    post: operations['replayTrigger'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/failures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List failures in groups of the same cause
     * @description Failures belong together if they have the same class, the same message but for numbers, ids, paths and other values, and the same top frame of their stacks. Those of the service's own queues are left out.
     */
    get: operations['listFailureGroups'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/failures/{group}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a group of failures
     * @description With what changed before it began, and what repaired it last time.
     */
    get: operations['getFailureGroup'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/failures/{group}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Say that the cause of a group of failures is gone
     * @description If a task fails like that again, the group is open again, and the event FailureGroupReturned says so.
     */
    post: operations['resolveFailureGroup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/failures/{group}/ignore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Say that a group of failures needs nobody
     * @description It is still counted.
     */
    post: operations['ignoreFailureGroup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/failures/{group}/reopen': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Open a group of failures again */
    post: operations['reopenFailureGroup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/holds/{hold}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show a hold */
    get: operations['getHold'];
    /**
     * Place a hold
     * @description From then on, tasks that have all of its labels are held when their turn comes, in every queue. Repeated with other labels or another reason, it changes the hold. One that forbids erasure holds no task; to change it needs the permission `erase`.
     */
    put: operations['placeHold'];
    post?: never;
    /**
     * Lift a hold
     * @description The tasks that it caught stay held. From then on, they can be released. One that forbids erasure needs the permission `erase`.
     */
    delete: operations['liftHold'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/holds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the holds that are in force
     * @description Ordered by name.
     */
    get: operations['listHolds'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resources/{resource}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a resource
     * @description With its gauge, and the steps that need it.
     */
    get: operations['getResource'];
    /**
     * Define a resource
     * @description Steps of queues may need it from then on. It is short until its gauge is measured. Repeated with other values, it changes the definition.
     */
    put: operations['defineResource'];
    post?: never;
    /**
     * Delete a resource
     * @description Refused while a step of a queue needs it.
     */
    delete: operations['deleteResource'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resources': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List resources
     * @description Ordered by name.
     */
    get: operations['listResources'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resources/{resource}/measure': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Measure a resource
     * @description Says what its gauge shows now. If the gauge falls below a limit, the tasks that waited for it are given out at once.
     */
    post: operations['measureResource'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/views/{view}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Save a view for everybody
     * @description Everybody finds the list of tasks under its name from then on. Repeated with something else, it changes the view. The history keeps what was searched for, so a search should name nobody.
     */
    put: operations['saveView'];
    post?: never;
    /**
     * Delete a view for everybody
     * @description The history keeps what it showed, and who saved it. It can be saved anew.
     */
    delete: operations['deleteView'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/views': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the views that are saved for everybody
     * @description Ordered by name. There are at most 100.
     */
    get: operations['listViews'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/claims': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Claim tasks
     * @description Waits up to `waitMs` for a task. An empty answer is no error; one for an API key that may run no more tasks is 429.
     */
    post: operations['claimTasks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/start': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a task at once
     * @description Creates a task and gives it to the worker that asks, which runs it without waiting for its turn. Repeating it under the same `Idempotency-Key` returns the first answer, also after the task has ended: with the header `Idempotent-Replayed`, extend the lease before you run the task, which is refused if the claim is over. Repeating it with the same id and content returns the same lease while that stands, and is refused afterwards. If the client of a start with neither leaves before the answer is written, the task is returned to its queue.
     */
    post: operations['startTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/extend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Extend the lease of a task */
    post: operations['extendLease'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/leases/extend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Extend up to 1000 leases */
    post: operations['extendLeases'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/leases/check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask about up to 1000 leases
     * @description Tells whether each lease stands and whether its worker must stop, and extends none. Workers whose leases are long ask every few seconds, so that a cancellation does not wait for a heartbeat.
     */
    post: operations['checkLeases'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/succeed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Report that the task succeeded */
    post: operations['succeedTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/fail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report that the attempt failed
     * @description The queue's policy decides what follows.
     */
    post: operations['failTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/complete-step': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Report that a step is completed */
    post: operations['completeStep'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/record': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Record data of the task for those who work on it next */
    post: operations['recordData'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/report-error': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Report an error without ending the attempt */
    post: operations['reportError'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/return': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Return a task without an outcome
     * @description The claim does not count as an attempt.
     */
    post: operations['returnTask'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/confirm-cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Confirm a cancellation */
    post: operations['confirmCancel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/cancel-run': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel the own run of a task
     * @description Ends the attempt as if somebody had cancelled the task and the worker had confirmed it. Where the queue’s preset does not offer to cancel tasks, the task is returned.
     */
    post: operations['cancelRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/settlements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle up to 1000 tasks
     * @description Returns one result per item, in order. A refused item has its problem and does not affect the others.
     */
    post: operations['settleTasks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/turns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Settle up to 1000 tasks and claim others
     * @description Settles as `settleTasks` does and then claims as `claimTasks` does, in one request, without waiting for a task. What the settlements free, such as a key or a place on the server, the claim may take. A refused item does not affect the others, nor the claim; a claim that fails is in `problem` and affects no result.
     */
    post: operations['takeTurn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read events
     * @description One JSON document per line, in commit order, up to the position in `X-As-Of-Position`. After 15 s without an event, a line with only a `position` tells how far the log was read, from which a client can continue. An event that is damaged is `unreadable`, and the others follow it.
     */
    get: operations['readEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow the events
     * @description Server-sent events: `id` is the position, `event` the type, and `data` the event. The first message has only an `id`, the position that the stream starts after, as in `X-As-Of-Position`. So does a message when the stream has caught up, and after 15 s without an event: nothing before its position is missing, so a client can resume from there.
     */
    get: operations['followEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queues/{queue}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to a queue
     * @description Its own events, without those of its tasks, which `GET /v1/events?queue=` has. Also of a deleted queue.
     */
    get: operations['getQueueHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/batches/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to a batch
     * @description Its own events, without those of its tasks. Also of a deleted batch.
     */
    get: operations['getBatchHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/triggers/{trigger}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to a trigger
     * @description Also of a deleted trigger.
     */
    get: operations['getTriggerHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/holds/{hold}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to a hold
     * @description Also of a lifted hold. The tasks that it caught have that in their own histories.
     */
    get: operations['getHoldHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/resources/{resource}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to a resource
     * @description Also of a deleted resource. Of measurements, it has those that crossed a limit.
     */
    get: operations['getResourceHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/system/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show everything that happened to the system
     * @description When it was drained and resumed, by whom and why.
     */
    get: operations['getSystemHistory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/activity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what people did
     * @description The commands that were given to queues, tasks, batches, triggers, holds, resources, failure groups and the system, with actor and reason. Submissions, claims and reports of workers are none, nor is what follows from commands, from policies or from the clock. Needs the permission that reading events needs.
     */
    get: operations['listActivity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what changed between two moments
     * @description The tasks whose state, step, error class or priority at the second moment is not what it was at the first: what came of each, not each step on the way. What changed from A to B, and then from B to C, is together what changed from A to C. What is outside of the queues of the API key is left out and counted.
     */
    get: operations['listChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count what changed between two moments
     * @description How many tasks went from which state to which, and with `queue` how many were in each state at both moments. What is outside of the queues of the API key is left out and counted.
     */
    get: operations['sumChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/changes/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow what changes
     * @description Server-sent events that name what changed, at most one a second, for a page that reads anew what it shows. When a notice comes, the read models show what it names, unless one is more than a second behind. The first message has only an `id`, the position that the stream starts after; so does one after 15 s without a notice. A client resumes from the last `id`, and is told when anything may have changed meanwhile.
     */
    get: operations['followChanges'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/system': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show whether the system drains, how many tasks run, who leads, and what needs attention */
    get: operations['getSystem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/system/drain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show whether and how the system drains */
    get: operations['getDrain'];
    put?: never;
    /**
     * Drain the system: give out no tasks
     * @description Repeated with other values, it changes how the system drains.
     */
    post: operations['drainSystem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/system/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a drain, and retry the tasks that shutdowns stopped
     * @description Also retries tasks that workers stopped when they shut down by themselves, whether the system drains or not.
     */
    post: operations['resumeSystem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/queue-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the statistics of all queues
     * @description Ordered by name.
     */
    get: operations['listQueueStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/workers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the workers
     * @description Ordered by name. As of a moment: those that had claimed a task or reported on one within the week before; `state` and the times follow from these alone.
     */
    get: operations['listWorkers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show how far read models and reactions are behind */
    get: operations['listProjections'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/projections/{projection}/rebuild': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Build a read model from the log, beside the one in use
     * @description The rebuild is a task of the queue `waybill.rebuilds`, with progress. The result of a `diff` has `position`, `rows` (how many differ) and the `first` 20 of them. Cancel that task to stop it.
     */
    post: operations['rebuildProjection'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Show how far the log is sealed */
    get: operations['getLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log/seals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the seals of the log
     * @description The newest first.
     */
    get: operations['listSeals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log/losses': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Accept that a part of the sealed log is lost
     * @description Such as when a backup was restored. The notary then seals the log as it is now, under the next name. The event names the last seal of the log before, and stays in the log, as the reason does. Seals of the log before go on to contradict this one.
     */
    post: operations['acceptLoss'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the keys of the log
     * @description Of this log and of those before it. Whoever verifies with a key that the service names believes the service.
     */
    get: operations['listLogKeys'];
    put?: never;
    /**
     * Retire the key of the log, and have the notary make another one
     * @description Such as when somebody else has the secret key. The notary signs the log up to this event with it for the last time; this last seal names the next key. It then seals on with that, under the next name. Proofs and seals under the key before stay valid.
     */
    post: operations['retireLogKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/tasks/{id}/proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Prove that the events of a task are in the sealed log
     * @description For whoever takes it along: `waybill verify` checks it without a service. Waits up to 20 s for the seal that covers the newest event. It does not prove that nothing followed.
     */
    get: operations['getTaskProof'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/log/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Take the sealed log along
     * @description One JSON document per line: segments as they are stored, and in place of those that were not asked for the hashes of their leaves. Together they make the root in the seal, so `waybill verify` checks them without a service. `waybill log export` writes such a file.
     */
    get: operations['exportLog'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/api-keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API keys and when each was used last
     * @description As this process knows them. The keys themselves are not stored.
     */
    get: operations['listApiKeys'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tell who the caller is, and what it may do
     * @description The API key itself is not told. Without API keys, everybody may do everything.
     */
    get: operations['whoAmI'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Run up to 1000 commands together or not at all
     * @description Each command sees the effects of those before it. Nothing is visible, and no worker wakes up, before all are recorded. If a command is refused, the answer is its refusal with its `index`, and nothing is recorded.
     */
    post: operations['runTransaction'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/previews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Show what a command would do
     * @description The command is decided as if it were given now, and nothing is recorded. If it would be refused, the answer is its refusal. For a command for many tasks, `POST /v1/operations` takes `preview`.
     */
    post: operations['previewCommand'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Check that the process answers */
    get: operations['isLive'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check that the service is ready
     * @description Checks the database, that it takes writes, its schema, the lag of the read models, that some process sweeps, and that the store of payloads outside the log answers. What one process finds, all find, except for the rooms of the process that requests share.
     */
    get: operations['isReady'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the metrics
     * @description In the text format of Prometheus: queues, read models, and the requests and resources of this process.
     */
    get: operations['readMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    BackoffChanges: {
      /** @enum {string} */
      kind?: 'exponential' | 'fixed';
      /** @description Milliseconds before the first retry. */
      baseMs?: number;
      /** @description Multiplies each further delay. */
      factor?: number;
      /** @description The longest delay in milliseconds. */
      capMs?: number;
      /** @enum {string} */
      jitter?: 'full' | 'none';
    };
    RetryChanges: {
      /** @description Includes the first attempt; null: no limit. */
      maxAttempts?: number | null;
      /** @description Only failures of these classes are retried. */
      classes?: ('business' | 'application' | 'transient' | 'bug' | 'timeout')[];
      backoff?: components['schemas']['BackoffChanges'];
    };
    StepNeed: {
      /** @example working-storage */
      resource: string;
      /**
       * @description The gauge of the resource must be below this.
       * @example 80
       */
      below: number;
    };
    StepPolicy: {
      /** @example render */
      name: string;
      /**
       * @description What follows an attempt that fails in the step.
       * @enum {string}
       */
      onFailure?: 'fail' | 'retry' | 'decide';
      /** @description `maxAttempts` counts the attempts that failed in the step. */
      retry?: components['schemas']['RetryChanges'];
      /** @description How often a task whose lease is lost in the step waits again before it fails; null: without limit. */
      maxLost?: number | null;
      /** @description How long a worker may take for the step, from its beginning, besides the queue's longest run time; null: for ever. */
      maxRunMs?: number | null;
      /** @description false: no failure and no lost lease ends the task in the step. It is always retried, after the backoff. */
      mayFail?: boolean;
      /** @description false: no retry by a person begins at the step, not even with `override`. */
      resumable?: boolean;
      /** @description false: completing the step leaves `lastStep` as it is. */
      marks?: boolean;
      /** @description true: only tasks that name the step in their `steps` have it. */
      optional?: boolean;
      /** @description A task is given out for the step only while all of these are met. */
      needs?: components['schemas']['StepNeed'][];
    };
    CommandOffer: {
      /**
       * @example RetryTask
       * @enum {string}
       */
      command:
        | 'SubmitTask'
        | 'HoldTask'
        | 'ReleaseTask'
        | 'DecideRetry'
        | 'DecideFail'
        | 'RetryTask'
        | 'ReprioritiseTask'
        | 'RescheduleTask'
        | 'AmendPayload'
        | 'AmendData'
        | 'CancelTask'
        | 'ChangePrerequisites'
        | 'AbortTask'
        | 'DeleteTask'
        | 'OverruleTask';
      /**
       * @description The states in which the queue offers it.
       * @example [
       *       "failed"
       *     ]
       */
      in: (
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
      )[];
    };
    PriorityPolicy: {
      /**
       * @description Who decides. With `rules`, a submission must not name a priority.
       * @enum {string}
       */
      from: 'caller' | 'rules';
      /** @description With `rules`: what the rules that apply add to `defaultPriority`. A rule applies to tasks with a label, to those with one value of it, or to those of a batch with more than so many tasks. */
      rules: (
        | {
            label: string;
            value?: string;
            add: number;
          }
        | {
            batchAbove: number;
            add: number;
          }
      )[];
    };
    LimitChanges: {
      /** @description The most bytes of a payload as UTF-8 JSON. */
      payloadBytes?: number;
    };
    RetentionChanges: {
      /** @example 30 */
      succeeded?: number | null;
      failed?: number | null;
      cancelled?: number | null;
      aborted?: number | null;
      superseded?: number | null;
      deleted?: number | null;
    };
    CronPattern: {
      /**
       * @description Minute, hour, day of the month, month, day of the week.
       * @example 30 2 * * 1-5
       */
      cron: string;
      /**
       * @description The IANA name of the time zone.
       * @example Europe/Berlin
       */
      timeZone: string;
    };
    LabelLimits: {
      /**
       * @description The label whose values are limited.
       * @example customer
       */
      label: string;
      /**
       * @description The most tasks with the same value, or without the label, that run at once in the whole cluster.
       * @example 2
       */
      maxRunning: number;
    };
    PlannedBatches: {
      /**
       * @description The batch preset; null: none.
       * @example repository
       */
      preset: string | null;
      /**
       * @description How runs of failed tasks are reported.
       * @enum {string}
       */
      reRunReporting: 'auto' | 'update' | 'own' | 'rerun-batch';
      /** @description Whether whoever creates a batch may choose another way. */
      creatorChooses: boolean;
    };
    PolicyChanges: {
      /** @description The kinds of task that the queue accepts. A task without a kind gets the first. Empty: any. */
      kinds?: string[];
      /**
       * @description By kind: the JSON Schema (2020-12) that payloads of new tasks must match. A kind that has none takes any payload.
       * @example {
       *       "order": {
       *         "type": "object",
       *         "required": [
       *           "id"
       *         ],
       *         "properties": {
       *           "id": {
       *             "type": "integer"
       *           }
       *         }
       *       }
       *     }
       */
      payloadSchemas?: {
        [key: string]: {
          [key: string]: unknown;
        };
      };
      /** @description Tasks must carry a key. */
      keyRequired?: boolean;
      /**
       * @description What happens to a new task while another one with its key waits.
       * @enum {string}
       */
      duplicatePending?: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
      /** @description A success supersedes the failed tasks with the same key. */
      clearFailuresOnSuccess?: boolean;
      /**
       * @description `block`: while a task has failed, is undecided, or waits for its automatic retry, later tasks with its key wait. Needs `duplicatePending: allow`.
       * @enum {string}
       */
      onKeyFailure?: 'continue' | 'block';
      /**
       * @description Among which tasks a reference must be unique.
       * @enum {string}
       */
      uniqueReference?: 'off' | 'open' | 'always';
      /**
       * @description What follows a failed attempt.
       * @enum {string}
       */
      onFailure?: 'fail' | 'retry' | 'decide';
      retry?: components['schemas']['RetryChanges'];
      /** @description How often a task whose lease is lost waits again before it fails. */
      maxLost?: number;
      /** @description How long a claim lasts unless the worker extends it. */
      leaseMs?: number;
      /** @description How long an attempt may take, from its claim. Then it counts as failed with the class `timeout`, although its worker still sends heartbeats; null: for ever. */
      maxRunMs?: number | null;
      /** @description How long a new task may wait for a worker, from its due time or its submission, unless it says so itself. Then it fails with the class `expired`; null: for ever. */
      ttlMs?: number | null;
      /** @description The priority of tasks that name none. */
      defaultPriority?: number;
      /** @description The steps of every task, in order. An object sets rules for failures in the step instead of the queue's. */
      steps?: (string | components['schemas']['StepPolicy'])[];
      /** @description Show a task that is in a step under the step's name (`stateName`). */
      stepsAsStates?: boolean;
      /** @description Workers may change the priority of a task when they complete a step. */
      workersPrioritise?: boolean;
      priority?: components['schemas']['PriorityPolicy'];
      limits?: components['schemas']['LimitChanges'];
      /** @description After how many days ended tasks leave the lists for the archive, by their state; null: never. They stay reachable by id. */
      retention?: components['schemas']['RetentionChanges'];
      /**
       * @description What becomes of a running task that somebody cancels, once its worker has stopped: `cancel` makes it cancelled; `fail` makes it failed, with the cancellation as its error.
       * @enum {string}
       */
      onCancel?: 'cancel' | 'fail';
      /** @description The places in payloads by which tasks are searched (`payload.order.id:`), such as `order.id`. Tasks that are submitted from then on are found. */
      search?: string[];
      /** @description After how many days what its ended tasks were about is erased, day by day; null: never. To set it needs the permission `erase`. */
      expireDays?: number | null;
      /** @description Payloads of more bytes than this are stored in `WAYBILL_PAYLOAD_STORE`, and the log keeps only their digest; null: none. Not together with `search`. */
      payloadsOutsideAboveBytes?: number | null;
      /** @description The queue gives out no tasks until these queues are finished. */
      waitsFor?: string[];
      /** @description The queue finishes by itself once its intake is closed and all of its tasks have ended. */
      finite?: boolean;
      /** @description Pause the queue after this many failed attempts in a row; null: never. */
      pauseAfterFailures?: number | null;
      /** @description Record the stacks of errors (`details.stack`). Set it to false if stacks may reveal too much of the worker's code and machine. */
      errorStacks?: boolean;
      /**
       * @description Errors without a class are `application`. `guessed`: they are of the class that `failure_reason`, `reason` or `type` in their details name, or `business` if these or the message mention the word.
       * @enum {string}
       */
      errorClasses?: 'given' | 'guessed';
      /** @description Tasks without a due time take the next occurrence after they are enqueued; null: they are due at once. */
      dueTimes?: components['schemas']['CronPattern'] | null;
      /**
       * @description Which tasks holds catch. `every-claim`: every task that would be given out. `first-claim`: only tasks that no worker has had yet.
       * @enum {string}
       */
      holdsCatch?: 'every-claim' | 'first-claim';
      /** @description How many tasks run at once. `serial` or `0`: one task and one consumer in the whole cluster. `{ perServer: n }` or `n`: n tasks on each server. */
      concurrency?:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          }
        | number;
      /** @description The most tasks that run at once in the whole cluster; null: no limit. */
      maxRunning?: number | null;
      /** @description Limits for the tasks that have a value of a label in common; null: none. */
      perLabel?: components['schemas']['LabelLimits'] | null;
      /** @description How long a serial queue stays with a consumer that has fallen silent. */
      takeoverSeconds?: number;
      /** @description What applies to the batches that tasks of the queue plan; null: the defaults. */
      batches?: components['schemas']['PlannedBatches'] | null;
      /** @description The commands that the queue offers, besides those of workers: in every state, or in an object's states; null: all. */
      commands?:
        | (
            | (
                | 'PrepareTask'
                | 'EnqueueTask'
                | 'SubmitTask'
                | 'HoldTask'
                | 'ReleaseTask'
                | 'DecideRetry'
                | 'DecideFail'
                | 'RetryTask'
                | 'ReprioritiseTask'
                | 'RescheduleTask'
                | 'AmendPayload'
                | 'AmendData'
                | 'CancelTask'
                | 'ChangePrerequisites'
                | 'AbortTask'
                | 'DeleteTask'
                | 'OverruleTask'
              )
            | components['schemas']['CommandOffer']
          )[]
        | null;
    };
    QueueDefinition: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @example Outgoing mail */
      description?: string;
      /**
       * @description The preset for fields that `policy` leaves out, for the names of states, and for the commands that the queue offers.
       * @example cluster-tasks
       */
      preset?: string;
      /** @description Fields that you leave out take their defaults. */
      policy?: components['schemas']['PolicyChanges'];
      /** @description Replace the policy of an existing queue. Otherwise an existing queue stays unchanged. */
      replace?: boolean;
    };
    IntakeView: {
      open: boolean;
      by?: string;
      reason?: string | null;
    };
    PausingFailure: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
    };
    StandingPause: {
      by: string;
      reason: string | null;
      /** Format: date-time */
      until: string | null;
      /** @description The failure that made the policy pause the queue. */
      failure: components['schemas']['PausingFailure'] | null;
    };
    BackoffPolicy: {
      /** @enum {string} */
      kind: 'exponential' | 'fixed';
      /** @example 1000 */
      baseMs: number;
      /** @example 2 */
      factor: number;
      /** @example 3600000 */
      capMs: number;
      /** @enum {string} */
      jitter: 'full' | 'none';
    };
    RetryPolicy: {
      /** @example 3 */
      maxAttempts: number | null;
      /** @description Only failures of these classes are retried. */
      classes: ('business' | 'application' | 'transient' | 'bug' | 'timeout')[];
      backoff: components['schemas']['BackoffPolicy'];
    };
    QueueLimits: {
      /** @example 262144 */
      payloadBytes: number;
    };
    Retention: {
      /** @example 30 */
      succeeded: number | null;
      failed: number | null;
      cancelled: number | null;
      aborted: number | null;
      superseded: number | null;
      deleted: number | null;
    };
    QueuePolicy: {
      kinds: string[];
      payloadSchemas: {
        [key: string]: {
          [key: string]: unknown;
        };
      };
      keyRequired: boolean;
      /** @enum {string} */
      duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
      clearFailuresOnSuccess: boolean;
      /** @enum {string} */
      onKeyFailure: 'continue' | 'block';
      /** @enum {string} */
      onCancel: 'cancel' | 'fail';
      /** @enum {string} */
      uniqueReference: 'off' | 'open' | 'always';
      /** @enum {string} */
      onFailure: 'fail' | 'retry' | 'decide';
      retry: components['schemas']['RetryPolicy'];
      /** @example 3 */
      maxLost: number | null;
      /** @example 30000 */
      leaseMs: number;
      maxRunMs: number | null;
      ttlMs: number | null;
      /** @example 0 */
      defaultPriority: number;
      steps: (string | components['schemas']['StepPolicy'])[];
      stepsAsStates: boolean;
      workersPrioritise: boolean;
      priority: components['schemas']['PriorityPolicy'];
      limits: components['schemas']['QueueLimits'];
      /** @description Days after which ended tasks leave the lists, by their state; null: never. */
      retention: components['schemas']['Retention'];
      search: string[];
      expireDays: number | null;
      /** @example 65536 */
      payloadsOutsideAboveBytes: number | null;
      waitsFor: string[];
      finite: boolean;
      pauseAfterFailures: number | null;
      errorStacks: boolean;
      /** @enum {string} */
      errorClasses: 'given' | 'guessed';
      dueTimes: components['schemas']['CronPattern'] | null;
      batches: components['schemas']['PlannedBatches'] | null;
      /** @enum {string} */
      holdsCatch: 'every-claim' | 'first-claim';
      /** @example unlimited */
      concurrency:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          };
      maxRunning: number | null;
      /** @description Limits for the tasks that have a value of a label in common; null: none. */
      perLabel: components['schemas']['LabelLimits'] | null;
      /** @example 30 */
      takeoverSeconds: number;
      preset: string | null;
      /** @description The queue's names for the states of its tasks; null: Waybill's own names. */
      vocabulary: {
        [key: string]: string;
      } | null;
      commands:
        | (
            | (
                | 'PrepareTask'
                | 'EnqueueTask'
                | 'SubmitTask'
                | 'HoldTask'
                | 'ReleaseTask'
                | 'DecideRetry'
                | 'DecideFail'
                | 'RetryTask'
                | 'ReprioritiseTask'
                | 'RescheduleTask'
                | 'AmendPayload'
                | 'AmendData'
                | 'CancelTask'
                | 'ChangePrerequisites'
                | 'AbortTask'
                | 'DeleteTask'
                | 'OverruleTask'
              )
            | components['schemas']['CommandOffer']
          )[]
        | null;
    };
    DefinitionReceipt: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      revision: number;
      /** @description false: the command was already done, and nothing was recorded. */
      recorded: boolean;
      /**
       * @description `kept`: the queue existed and is unchanged.
       * @enum {string}
       */
      outcome: 'created' | 'kept' | 'replaced';
      /**
       * @description The policy fields, or `description`, in which an existing queue differs from the definition.
       * @example [
       *       "leaseMs"
       *     ]
       */
      differences: string[];
      description: string;
      /**
       * @description Only an active queue gives out tasks.
       * @enum {string}
       */
      state: 'active' | 'paused' | 'waiting' | 'finished';
      /** @description A closed intake accepts no tasks. */
      intake: components['schemas']['IntakeView'];
      pause?: components['schemas']['StandingPause'];
      /** @description The policy in force. */
      policy: components['schemas']['QueuePolicy'];
      /** @description The version of the policy in force; its `ETag`. */
      policyVersion: number;
    };
    QueueFailure: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
      /** @description The newest error of the task. null once the task is retried. */
      message: string | null;
    };
    PauseView: {
      by: string;
      reason: string | null;
      /** Format: date-time */
      until: string | null;
      /** @description The failure that made the policy pause the queue. */
      failure: components['schemas']['QueueFailure'] | null;
    };
    AsOf: {
      /**
       * @description The answer is the state after all events up to this position.
       * @example 4711
       */
      position: string;
      /**
       * Format: date-time
       * @description The time that was asked for; of a position, when its event was recorded.
       */
      at: string;
      /**
       * @description If the clock was set back, or a transaction was being stored in EventStoreDB, the time may also mean this position, of the last event that was recorded at or before it. Null otherwise.
       * @example 4711
       */
      alternative: string | null;
      /** @description `false` for a time within the last ten seconds: something that is recorded now may still get a time at or before it. */
      settled: boolean;
      /** @description Members of the answer that no event of what was asked for tells: they are empty, or those of a policy have the default of today. Of lists: members of their items. */
      notRecorded: string[];
    };
    QueueView: {
      /** @example mail */
      name: string;
      /**
       * Format: uuid
       * @description Follows from the name: a queue that is deleted and defined again keeps it.
       */
      id: string;
      /** @description It is one of the service's own (`waybill.*`). Nobody else adds tasks to it. */
      internal: boolean;
      description: string;
      /** @enum {string} */
      state: 'active' | 'paused' | 'waiting' | 'finished';
      intake: components['schemas']['IntakeView'];
      pause?: components['schemas']['PauseView'];
      /** @description While the queue waits: the queues that are not finished yet. */
      waitingFor?: string[];
      policy: components['schemas']['QueuePolicy'];
      /** @description The `ETag` of the policy. */
      policyVersion: number;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * Format: date-time
       * @description When a queue of this name was first defined.
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When anything about the queue last changed, except for its tasks.
       */
      updatedAt: string;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    QueueList: {
      items: components['schemas']['QueueView'][];
      /** @description Pass it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    QueueTally: {
      /** @example mail */
      queue: string;
      counts: {
        prepared?: number;
        pending?: number;
        held?: number;
        running?: number;
        undecided?: number;
        failed?: number;
        succeeded?: number;
        cancelled?: number;
        aborted?: number;
        superseded?: number;
        deleted?: number;
      };
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    Receipt: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      revision: number;
      /** @description false: the command was already done, and nothing was recorded. */
      recorded: boolean;
    };
    FieldChange: {
      /**
       * @description A field of the policy, or `description`. Members of `retry`, `limits` and `retention` are fields of their own.
       * @example retry.maxAttempts
       */
      field: string;
      from: unknown;
      to: unknown;
    };
    PolicyVersion: {
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** Format: date-time */
      at: string;
      /** @example ann */
      by: string;
      /** @description The program or assistant that acted on the actor's behalf, as it said. */
      agent?: string;
      reason: string | null;
      /** @description From 1. A queue that is deleted and defined again continues the count. */
      version: number;
      /**
       * @description `defined`: the queue was created with it, perhaps anew under its old name.
       * @enum {string}
       */
      outcome: 'defined' | 'changed';
      /** @description What it changed of the version before; empty if the queue was defined with it. */
      changes: components['schemas']['FieldChange'][];
      description: string;
      policy: components['schemas']['QueuePolicy'];
    };
    PolicyVersionPage: {
      /** @description The newest version first. */
      items: components['schemas']['PolicyVersion'][];
      /** @description null on the last page. */
      nextCursor: string | null;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    PolicyDiff: {
      /** @example mail */
      queue: string;
      from: number;
      to: number;
      /** @description The fields in which the two versions differ. */
      changes: components['schemas']['FieldChange'][];
    };
    VersionMade: {
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** Format: date-time */
      at: string;
      /** @example ann */
      by: string;
      /** @description The program or assistant that acted on the actor's behalf, as it said. */
      agent?: string;
      reason: string | null;
      /** @description From 1. A queue that is deleted and defined again continues the count. */
      version: number;
    };
    BlamedField: {
      /** @example retry.maxAttempts */
      field: string;
      value: unknown;
      /** @description The version that set it, and who made that. null if no event did: builds before had no such field, and it has its default of today. */
      setBy: components['schemas']['VersionMade'] | null;
    };
    PolicyBlame: {
      /** @example mail */
      queue: string;
      /** @description The newest version. */
      version: number;
      fields: components['schemas']['BlamedField'][];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    PolicyChange: {
      /** @description The kinds of task that the queue accepts. A task without a kind gets the first. Empty: any. */
      kinds?: string[];
      /**
       * @description By kind: the JSON Schema (2020-12) that payloads of new tasks must match. A kind that has none takes any payload.
       * @example {
       *       "order": {
       *         "type": "object",
       *         "required": [
       *           "id"
       *         ],
       *         "properties": {
       *           "id": {
       *             "type": "integer"
       *           }
       *         }
       *       }
       *     }
       */
      payloadSchemas?: {
        [key: string]: {
          [key: string]: unknown;
        };
      };
      /** @description Tasks must carry a key. */
      keyRequired?: boolean;
      /**
       * @description What happens to a new task while another one with its key waits.
       * @enum {string}
       */
      duplicatePending?: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
      /** @description A success supersedes the failed tasks with the same key. */
      clearFailuresOnSuccess?: boolean;
      /**
       * @description `block`: while a task has failed, is undecided, or waits for its automatic retry, later tasks with its key wait. Needs `duplicatePending: allow`.
       * @enum {string}
       */
      onKeyFailure?: 'continue' | 'block';
      /**
       * @description Among which tasks a reference must be unique.
       * @enum {string}
       */
      uniqueReference?: 'off' | 'open' | 'always';
      /**
       * @description What follows a failed attempt.
       * @enum {string}
       */
      onFailure?: 'fail' | 'retry' | 'decide';
      retry?: components['schemas']['RetryChanges'];
      /** @description How often a task whose lease is lost waits again before it fails. */
      maxLost?: number;
      /** @description How long a claim lasts unless the worker extends it. */
      leaseMs?: number;
      /** @description How long an attempt may take, from its claim. Then it counts as failed with the class `timeout`, although its worker still sends heartbeats; null: for ever. */
      maxRunMs?: number | null;
      /** @description How long a new task may wait for a worker, from its due time or its submission, unless it says so itself. Then it fails with the class `expired`; null: for ever. */
      ttlMs?: number | null;
      /** @description The priority of tasks that name none. */
      defaultPriority?: number;
      /** @description The steps of every task, in order. An object sets rules for failures in the step instead of the queue's. */
      steps?: (string | components['schemas']['StepPolicy'])[];
      /** @description Show a task that is in a step under the step's name (`stateName`). */
      stepsAsStates?: boolean;
      /** @description Workers may change the priority of a task when they complete a step. */
      workersPrioritise?: boolean;
      priority?: components['schemas']['PriorityPolicy'];
      limits?: components['schemas']['LimitChanges'];
      /** @description After how many days ended tasks leave the lists for the archive, by their state; null: never. They stay reachable by id. */
      retention?: components['schemas']['RetentionChanges'];
      /**
       * @description What becomes of a running task that somebody cancels, once its worker has stopped: `cancel` makes it cancelled; `fail` makes it failed, with the cancellation as its error.
       * @enum {string}
       */
      onCancel?: 'cancel' | 'fail';
      /** @description The places in payloads by which tasks are searched (`payload.order.id:`), such as `order.id`. Tasks that are submitted from then on are found. */
      search?: string[];
      /** @description After how many days what its ended tasks were about is erased, day by day; null: never. To set it needs the permission `erase`. */
      expireDays?: number | null;
      /** @description Payloads of more bytes than this are stored in `WAYBILL_PAYLOAD_STORE`, and the log keeps only their digest; null: none. Not together with `search`. */
      payloadsOutsideAboveBytes?: number | null;
      /** @description The queue gives out no tasks until these queues are finished. */
      waitsFor?: string[];
      /** @description The queue finishes by itself once its intake is closed and all of its tasks have ended. */
      finite?: boolean;
      /** @description Pause the queue after this many failed attempts in a row; null: never. */
      pauseAfterFailures?: number | null;
      /** @description Record the stacks of errors (`details.stack`). Set it to false if stacks may reveal too much of the worker's code and machine. */
      errorStacks?: boolean;
      /**
       * @description Errors without a class are `application`. `guessed`: they are of the class that `failure_reason`, `reason` or `type` in their details name, or `business` if these or the message mention the word.
       * @enum {string}
       */
      errorClasses?: 'given' | 'guessed';
      /** @description Tasks without a due time take the next occurrence after they are enqueued; null: they are due at once. */
      dueTimes?: components['schemas']['CronPattern'] | null;
      /**
       * @description Which tasks holds catch. `every-claim`: every task that would be given out. `first-claim`: only tasks that no worker has had yet.
       * @enum {string}
       */
      holdsCatch?: 'every-claim' | 'first-claim';
      /** @description How many tasks run at once. `serial` or `0`: one task and one consumer in the whole cluster. `{ perServer: n }` or `n`: n tasks on each server. */
      concurrency?:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          }
        | number;
      /** @description The most tasks that run at once in the whole cluster; null: no limit. */
      maxRunning?: number | null;
      /** @description Limits for the tasks that have a value of a label in common; null: none. */
      perLabel?: components['schemas']['LabelLimits'] | null;
      /** @description How long a serial queue stays with a consumer that has fallen silent. */
      takeoverSeconds?: number;
      /** @description What applies to the batches that tasks of the queue plan; null: the defaults. */
      batches?: components['schemas']['PlannedBatches'] | null;
      /** @description The commands that the queue offers, besides those of workers: in every state, or in an object's states; null: all. */
      commands?:
        | (
            | (
                | 'PrepareTask'
                | 'EnqueueTask'
                | 'SubmitTask'
                | 'HoldTask'
                | 'ReleaseTask'
                | 'DecideRetry'
                | 'DecideFail'
                | 'RetryTask'
                | 'ReprioritiseTask'
                | 'RescheduleTask'
                | 'AmendPayload'
                | 'AmendData'
                | 'CancelTask'
                | 'ChangePrerequisites'
                | 'AbortTask'
                | 'DeleteTask'
                | 'OverruleTask'
              )
            | components['schemas']['CommandOffer']
          )[]
        | null;
      /** @description The reason, for the history. */
      reason?: string;
    };
    PauseQueueRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: date-time
       * @description When the queue resumes by itself.
       */
      until?: string | null;
    };
    ReasonRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
    };
    DurationStats: {
      count: number;
      /** @description The sum in milliseconds. */
      total: number;
      max: number;
    };
    SpreadStats: {
      count: number;
      /** @description The sum in milliseconds. */
      total: number;
      max: number;
      /** @description Estimated from a histogram whose bounds double; null if nothing was counted. */
      median: number | null;
      /** @description The duration that 95 % do not exceed, estimated like `median`. */
      p95: number | null;
    };
    QueueFigures: {
      /** @description Tasks that were enqueued or submitted. */
      enqueued: number;
      claimed: number;
      succeeded: number;
      /** @description Tasks that became failed, by the class of their error. */
      failed: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
        lost?: number;
        timeout?: number;
        expired?: number;
      };
      /** @description Retries, automatic and by hand. */
      retried: number;
      /** @description Attempts whose lease expired. */
      lost: number;
      /** @description From the time that a task could be claimed until it was. */
      waitingMs: components['schemas']['SpreadStats'];
      /** @description From the claim until the task succeeded or failed. */
      processingMs: components['schemas']['SpreadStats'];
      /** @description The number of pending tasks at the end. */
      backlog: number;
    };
    QueueBucket: {
      /** @description Tasks that were enqueued or submitted. */
      enqueued: number;
      claimed: number;
      succeeded: number;
      /** @description Tasks that became failed, by the class of their error. */
      failed: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
        lost?: number;
        timeout?: number;
        expired?: number;
      };
      /** @description Retries, automatic and by hand. */
      retried: number;
      /** @description Attempts whose lease expired. */
      lost: number;
      /** @description From the time that a task could be claimed until it was. */
      waitingMs: components['schemas']['SpreadStats'];
      /** @description From the claim until the task succeeded or failed. */
      processingMs: components['schemas']['SpreadStats'];
      /** @description The number of pending tasks at the end. */
      backlog: number;
      /**
       * Format: date-time
       * @description When the bucket begins.
       */
      at: string;
    };
    QueueHistory: {
      /**
       * @description The length of each bucket.
       * @enum {string}
       */
      bucket: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
      /**
       * Format: date-time
       * @description When the first bucket begins.
       */
      from: string;
      /**
       * Format: date-time
       * @description When the last bucket ends.
       */
      to: string;
      /** @description The figures of the whole interval. */
      total: components['schemas']['QueueFigures'];
      /** @description All buckets, in order. */
      buckets: components['schemas']['QueueBucket'][];
    };
    QueueStatsDetails: {
      /** @example mail */
      queue: string;
      /** @description It is one of the service's own queues (`waybill.*`). */
      internal: boolean;
      counts: {
        prepared?: number;
        pending?: number;
        held?: number;
        running?: number;
        undecided?: number;
        failed?: number;
        succeeded?: number;
        cancelled?: number;
        aborted?: number;
        superseded?: number;
        deleted?: number;
      };
      failuresByClass: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
        lost?: number;
        timeout?: number;
        expired?: number;
      };
      waitingMs: components['schemas']['DurationStats'];
      runningMs: components['schemas']['DurationStats'];
      /** @description How long the longest-waiting ready task has been ready; null if none is, and as of a moment. */
      oldestWaitingMs: number | null;
      /** @description How long the longest running attempt has run; null if none runs, and in lists as of a moment. */
      longestRunMs: number | null;
      /** @description Open tasks whose deadline has passed. Null in lists as of a moment, and nowhere else. */
      overdue: number | null;
      /** @description Tasks that were not done at their deadline. */
      deadlinesMissed: number;
      /** @description Lost attempts for which no heartbeat came since the claim: the worker ended before its first one, or never got the task. `failuresByClass.lost` counts them too. */
      unheardLosses: number;
      /**
       * Format: date-time
       * @description When a worker last claimed from the queue, accurate to a few seconds; null if none has for a day.
       */
      lastPolledAt: string | null;
      /** @description Tasks wait that nobody serves: for a minute no worker has claimed tasks at their step or worked on tasks of the queue, or all have given their kind back as unknown. */
      unattended: boolean;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      asOfPosition: string;
      /** @description The tasks that are failed now, by the class of their error. */
      failedByClass: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
        lost?: number;
        timeout?: number;
        expired?: number;
      };
      /** @description Over the tasks that succeeded and those that are failed now, from the last claim (without one: from the submission) to the success or failure. */
      processingMs: components['schemas']['DurationStats'];
      /** @description Present if you ask for figures over time. */
      history?: components['schemas']['QueueHistory'];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    WaitShare: {
      /** @enum {string} */
      because:
        | 'state'
        | 'held'
        | 'hold'
        | 'job'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'quarantined'
        | 'prerequisites'
        | 'resource'
        | 'due'
        | 'target-failing'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'draining'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'lease-over'
        | 'worker'
        | 'retry'
        | 'behind'
        | 'unknown';
      /** @description For how long. */
      ms: number;
      /** @description Of the whole. */
      share: number;
      /** @description How many tasks it kept. */
      tasks: number;
    };
    QueueWaits: {
      queue: string;
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      until: string;
      /** @description How many tasks waited in the range. */
      tasks: number;
      /** @description How long they waited in the range, all together. */
      waitedMs: number;
      /** @description By cause, the longest first. They add up to `waitedMs`. `unknown`: of tasks with more than 1,000 events around them, and of what is after the first 50,000 events of the queue. */
      sums: components['schemas']['WaitShare'][];
      /** @description How many other tasks may have waited, but nothing of their history can be read. */
      unreadable: number;
      /** @description The moment at which the range ends. */
      asOf: components['schemas']['AsOf'];
    };
    LeavingTasks: {
      /** @enum {string} */
      state: 'succeeded' | 'failed' | 'cancelled' | 'aborted' | 'superseded' | 'deleted';
      /** @description How many days after their end the tasks leave the lists. */
      days: number;
      /** @description How many tasks would leave now. */
      tasks: number;
      /**
       * Format: date-time
       * @description When the first of them ended; null if there is none.
       */
      oldestEndedAt: string | null;
      /** @description The ids of those that ended first. */
      first: string[];
    };
    RetentionView: {
      /** @example mail */
      queue: string;
      /** @description How many tasks of the queue are in the archive. */
      archived: number;
      /**
       * Format: date-time
       * @description When the tasks were last looked through; null: not yet.
       */
      lastPassAt: string | null;
      /** @description One element for each state with a number of days. */
      states: components['schemas']['LeavingTasks'][];
      /** @description Whether more tasks would leave than were counted, which is up to 1,000,000. */
      more: boolean;
    };
    Prerequisite: {
      /**
       * Format: uuid
       * @description The task that must succeed first. Either `task` or `batch` is set.
       */
      task?: string;
      /**
       * Format: uuid
       * @description The batch that must be completed first.
       */
      batch?: string;
      /** @description Whether an abort of the prerequisite counts as done. If not, this task is aborted with it. */
      ignore?: boolean;
    };
    HoldWish: {
      reason?: string;
    };
    RejectedSubmission: {
      /** @example The digest does not match */
      message: string;
      /**
       * @description 'business' if absent.
       * @enum {string}
       */
      class?: 'business' | 'application' | 'transient' | 'bug';
    };
    TaskSubmission: {
      /**
       * @description The kind of task; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description Only one task per key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description Higher priorities run first, then older tasks.
       * @example 0
       */
      priority?: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels?: {
        [key: string]: string;
      };
      description?: string;
      /**
       * @example {
       *       "to": "ann@example.com"
       *     }
       */
      payload?: unknown;
      /** @description The SHA-256 of the payload's canonical JSON (RFC 8785), in lower-case hex. A payload that has another is refused (`PAYLOAD_DIGEST_MISMATCH`). */
      payloadSha256?: string;
      /**
       * Format: uuid
       * @description Generated if absent. Repeating a submission with the same id has no further effect.
       */
      id?: string;
      /**
       * @description Your own name for the task.
       * @example order-4711
       */
      reference?: string;
      /**
       * Format: date-time
       * @description When the task should be done. It is told if it is not (`TaskDeadlineMissed`), and otherwise goes on.
       */
      deadlineAt?: string;
      /**
       * Format: uuid
       * @description The id of the event within whose work the task is submitted, such as a claim's `claimEvent`.
       */
      context?: string;
      /**
       * @description The id of the entry in your application's own audit log to which the task belongs. Waybill keeps and shows it, and does nothing else with it.
       * @example audit-4711
       */
      auditContext?: string;
      /**
       * @description Data of the task from the beginning, up to 64 KiB, beside its payload: workers and operators change it field by field.
       * @example {
       *       "ingest": 4711
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description Workers cannot claim the task before this time.
       */
      dueAt?: string;
      /**
       * Format: date-time
       * @description From this time on, no worker gets the task: if it still waits, it fails with the class `expired`.
       */
      expiresAt?: string;
      /** @description Instead of `expiresAt`: how long it may wait for a worker, in milliseconds from its due time or its submission. If absent, the policy of the queue decides. */
      ttlMs?: number;
      /**
       * Format: uuid
       * @description The batch that the task is part of. The task waits until that is opened.
       */
      batch?: string;
      /** @description How many tasks the batch will have, for rules about priorities (`batchAbove`). The client says so itself for every task that it plans. */
      batchSize?: number;
      /**
       * @description The steps of the queue's policy that the task has, in the policy's order. If absent, all that are not `optional`.
       * @example [
       *       "download",
       *       "record"
       *     ]
       */
      steps?: string[];
      /** @description What must be done before the task may run. It may name other tasks of the same request. */
      after?: components['schemas']['Prerequisite'][];
      /** @description The task does not run until somebody releases it. */
      hold?: components['schemas']['HoldWish'];
      /** @description A check by the submitter failed: the task is stored as failed for good. It is neither run nor retried. */
      rejected?: components['schemas']['RejectedSubmission'];
      /** @description The task is stored, but workers cannot claim it until it is submitted. */
      prepared?: boolean;
    };
    EnqueueResult: {
      /**
       * Format: uuid
       * @description The id of the new task, or of the task that was already waiting.
       */
      id: string;
      /** @enum {string} */
      status: 'enqueued' | 'existing' | 'replaced';
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      revision: number;
    };
    QueuedSubmission: {
      /**
       * @description The kind of task; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description Only one task per key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description Higher priorities run first, then older tasks.
       * @example 0
       */
      priority?: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels?: {
        [key: string]: string;
      };
      description?: string;
      /**
       * @example {
       *       "to": "ann@example.com"
       *     }
       */
      payload?: unknown;
      /** @description The SHA-256 of the payload's canonical JSON (RFC 8785), in lower-case hex. A payload that has another is refused (`PAYLOAD_DIGEST_MISMATCH`). */
      payloadSha256?: string;
      /**
       * Format: uuid
       * @description Generated if absent. Repeating a submission with the same id has no further effect.
       */
      id?: string;
      /**
       * @description Your own name for the task.
       * @example order-4711
       */
      reference?: string;
      /**
       * Format: date-time
       * @description When the task should be done. It is told if it is not (`TaskDeadlineMissed`), and otherwise goes on.
       */
      deadlineAt?: string;
      /**
       * Format: uuid
       * @description The id of the event within whose work the task is submitted, such as a claim's `claimEvent`.
       */
      context?: string;
      /**
       * @description The id of the entry in your application's own audit log to which the task belongs. Waybill keeps and shows it, and does nothing else with it.
       * @example audit-4711
       */
      auditContext?: string;
      /**
       * @description Data of the task from the beginning, up to 64 KiB, beside its payload: workers and operators change it field by field.
       * @example {
       *       "ingest": 4711
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description Workers cannot claim the task before this time.
       */
      dueAt?: string;
      /**
       * Format: date-time
       * @description From this time on, no worker gets the task: if it still waits, it fails with the class `expired`.
       */
      expiresAt?: string;
      /** @description Instead of `expiresAt`: how long it may wait for a worker, in milliseconds from its due time or its submission. If absent, the policy of the queue decides. */
      ttlMs?: number;
      /**
       * Format: uuid
       * @description The batch that the task is part of. The task waits until that is opened.
       */
      batch?: string;
      /** @description How many tasks the batch will have, for rules about priorities (`batchAbove`). The client says so itself for every task that it plans. */
      batchSize?: number;
      /**
       * @description The steps of the queue's policy that the task has, in the policy's order. If absent, all that are not `optional`.
       * @example [
       *       "download",
       *       "record"
       *     ]
       */
      steps?: string[];
      /** @description What must be done before the task may run. It may name other tasks of the same request. */
      after?: components['schemas']['Prerequisite'][];
      /** @description The task does not run until somebody releases it. */
      hold?: components['schemas']['HoldWish'];
      /** @description A check by the submitter failed: the task is stored as failed for good. It is neither run nor retried. */
      rejected?: components['schemas']['RejectedSubmission'];
      /** @description The task is stored, but workers cannot claim it until it is submitted. */
      prepared?: boolean;
      /** @example mail */
      queue: string;
    };
    EnqueueMany: {
      tasks: components['schemas']['QueuedSubmission'][];
    };
    ProblemError: {
      /**
       * @description A JSON pointer into the body, or `#/query/…`, `#/path/…` or `#/headers/…`.
       * @example /tasks/3/priority
       */
      pointer: string;
      /** @example Expected an integer from 0 to 9, but got text of 4 characters */
      detail: string;
    };
    /** @description RFC 9457 problem details. Further members are the facts of the refusal. */
    Problem: {
      /** @example https://waybill.dev/problems/task-not-found */
      type: string;
      /** @example No such task */
      title: string;
      /** @example 404 */
      status: number;
      detail: string;
      /** @description The path of the request. */
      instance?: string;
      /**
       * @description The code to branch on.
       * @example TASK_NOT_FOUND
       */
      code: string;
      /** @description Identifies the request in the service's logs. */
      traceId?: string;
      errors?: components['schemas']['ProblemError'][];
    } & {
      [key: string]: unknown;
    };
    RefusedItem: {
      problem: components['schemas']['Problem'];
    };
    EnqueueManyResult: {
      /** @description One result per item, in order. */
      results: (components['schemas']['EnqueueResult'] | components['schemas']['RefusedItem'])[];
      /** @description How many items became no task of their own, because a task with their key waits. Their results have its id. */
      deduplicated: number;
      /**
       * @description The highest position of the results; null if every item was refused.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    Suggestion: {
      /** @description A field such as `queue:`, the beginning of one such as `label.`, or a value as a search has it, in quotes if it needs them. */
      text: string;
      /** @description What it stands for: the description of a queue, the newest message of a group of failures. */
      about: string | null;
    };
    SuggestionList: {
      /** @description Each suggestion stands in the place of what follows this many UTF-16 units of the search. */
      at: number;
      /** @description Up to 20. */
      items: components['schemas']['Suggestion'][];
    };
    TaskErrorView: {
      message: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
      details?: unknown;
    };
    TaskSummary: {
      /**
       * Format: uuid
       * @example 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f
       */
      id: string;
      /** @example mail */
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description The queue's name for the state; the same as `state` without a preset.
       * @example WAITING
       */
      stateName: string;
      /**
       * @description What a pending task waits for.
       * @enum {string|null}
       */
      waitingFor:
        | 'worker'
        | 'prerequisites'
        | 'due'
        | 'key'
        | 'draining'
        | 'queue-paused'
        | 'queue-waiting'
        | 'queue-finished'
        | null;
      /** @example task */
      kind: string;
      key: string | null;
      reference: string | null;
      /** @example 0 */
      priority: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels: {
        [key: string]: string;
      };
      description: string | null;
      /** Format: date-time */
      dueAt: string | null;
      /**
       * Format: date-time
       * @description From when on no worker gets the task: if it still waits, it fails.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the task should be done.
       */
      deadlineAt: string | null;
      /** @description Whether the task was not done at its deadline. */
      deadlineMissed: boolean;
      /**
       * Format: date-time
       * @description When the running attempt ends at the latest, by the policy; null if nothing limits it, or none runs.
       */
      runUntil: string | null;
      /** Format: date-time */
      enqueuedAt: string | null;
      /**
       * Format: date-time
       * @description From when on the task may run: its due time, or the time of its submission.
       */
      scheduledFor: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      attempt: number;
      retries: number;
      worker: string | null;
      /** @description The last step that succeeded. */
      lastStep: string | null;
      /** @description The step that the task is in; null before it was first claimed or released, and after its last step. */
      step: string | null;
      /** @description How far the current or last attempt is, if it reported. */
      percent: number | null;
      /**
       * Format: uuid
       * @description The batch that the task is part of.
       */
      batch: string | null;
      /**
       * Format: date-time
       * @description When the worker of a running task claimed it or last extended its lease.
       */
      lastHeartbeatAt: string | null;
      error: components['schemas']['TaskErrorView'] | null;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
    };
    TaskPage: {
      items: components['schemas']['TaskSummary'][];
      /** @description Pass it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    PayloadOutside: {
      /** @description The SHA-256 of its JSON text, in hex. */
      sha256: string;
      bytes: number;
      /**
       * Format: date
       * @description The day, in UTC, on which it was stored.
       */
      day: string;
    };
    JobItem: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
    };
    TaskProgressBar: {
      /**
       * @description What advances; every bar of a task has another title.
       * @example links
       */
      title: string;
      /** @description Where the position begins. */
      start: number;
      /** @description Where the position ends. */
      end: number;
      /** @description How far the work is. */
      position: number;
      /** @description The attempt that reported it. */
      attempt: number;
    };
    TaskDetails: {
      /**
       * Format: uuid
       * @example 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f
       */
      id: string;
      /** @example mail */
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description The queue's name for the state; the same as `state` without a preset.
       * @example WAITING
       */
      stateName: string;
      /**
       * @description What a pending task waits for.
       * @enum {string|null}
       */
      waitingFor:
        | 'worker'
        | 'prerequisites'
        | 'due'
        | 'key'
        | 'draining'
        | 'queue-paused'
        | 'queue-waiting'
        | 'queue-finished'
        | null;
      /** @example task */
      kind: string;
      key: string | null;
      reference: string | null;
      /** @example 0 */
      priority: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels: {
        [key: string]: string;
      };
      description: string | null;
      /** Format: date-time */
      dueAt: string | null;
      /**
       * Format: date-time
       * @description From when on no worker gets the task: if it still waits, it fails.
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the task should be done.
       */
      deadlineAt: string | null;
      /** @description Whether the task was not done at its deadline. */
      deadlineMissed: boolean;
      /**
       * Format: date-time
       * @description When the running attempt ends at the latest, by the policy; null if nothing limits it, or none runs.
       */
      runUntil: string | null;
      /** Format: date-time */
      enqueuedAt: string | null;
      /**
       * Format: date-time
       * @description From when on the task may run: its due time, or the time of its submission.
       */
      scheduledFor: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      attempt: number;
      retries: number;
      worker: string | null;
      /** @description The last step that succeeded. */
      lastStep: string | null;
      /** @description The step that the task is in; null before it was first claimed or released, and after its last step. */
      step: string | null;
      /** @description How far the current or last attempt is, if it reported. */
      percent: number | null;
      /**
       * Format: uuid
       * @description The batch that the task is part of.
       */
      batch: string | null;
      /**
       * Format: date-time
       * @description When the worker of a running task claimed it or last extended its lease.
       */
      lastHeartbeatAt: string | null;
      error: components['schemas']['TaskErrorView'] | null;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * Format: date-time
       * @description When the task last changed.
       */
      updatedAt: string;
      /**
       * Format: date-time
       * @description When the task last stopped running; null if it has not run, or runs for the first time.
       */
      endedAt: string | null;
      /**
       * Format: date-time
       * @description When the task left the lists by its queue's retention; null if it is in them.
       */
      archivedAt: string | null;
      /** @description The current payload, including amendments; null if it is stored outside the log. */
      payload: unknown;
      /** @description Present if the payload is stored outside the log: `GET /v1/tasks/{id}/payload` reads it. */
      payloadOutside?: components['schemas']['PayloadOutside'];
      /** @description The result that the worker reported with its success; null before. */
      result: unknown;
      /**
       * Format: uuid
       * @description The id of the event within whose work the task was submitted, such as a claim.
       */
      context: string | null;
      /** @description The id of an entry in the submitter's own audit log. */
      auditContext: string | null;
      /** @description Empty for a task without steps. */
      steps: string[];
      /** @description What a trigger claimed for the task, which is their job. Empty for any other task. */
      items: components['schemas']['JobItem'][];
      /**
       * Format: uuid
       * @description The job for which a trigger claimed the task last; null if its last claim was a worker's.
       */
      job: string | null;
      /**
       * Format: uuid
       * @description The failed task that this one runs again; null if it runs none again.
       */
      rerunOf: string | null;
      /**
       * Format: uuid
       * @description The copy that runs this task again, in another batch; null if there is none.
       */
      rerun: string | null;
      /** @description What workers and operators have recorded about the task. */
      data: {
        [key: string]: unknown;
      };
      /** @description The worker's last report, kept after the attempt. */
      progress: components['schemas']['TaskProgressBar'][];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    TaskPayload: {
      /** @description The current payload, including amendments. */
      payload: unknown;
      asOf?: components['schemas']['AsOf'];
    };
    ReasonError: {
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
      message: string;
    };
    OpenTasks: {
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description The state in the words of the queue. */
      stateName: string;
      tasks: number;
      /** @description The commands with which people end these tasks or let them go on, named as in refusals; none as of a moment. */
      commands: (
        | 'SubmitTask'
        | 'HoldTask'
        | 'ReleaseTask'
        | 'DecideRetry'
        | 'DecideFail'
        | 'RetryTask'
        | 'ReprioritiseTask'
        | 'RescheduleTask'
        | 'AmendPayload'
        | 'AmendData'
        | 'CancelTask'
        | 'ChangePrerequisites'
        | 'AbortTask'
        | 'DeleteTask'
        | 'OverruleTask'
      )[];
    };
    BlockerView: {
      /**
       * Format: uuid
       * @description The id of the task or batch. Absent if the API key of the request does not reach it.
       */
      id?: string;
      /** @description Its state. */
      state: string;
      /** @description Of a batch: its tasks that have not ended, with the commands that end them. */
      open?: components['schemas']['OpenTasks'][];
    };
    TaskInHand: {
      worker: string;
      server: string;
      /** Format: uuid */
      taskId: string;
    };
    NotRunningReason: {
      /**
       * @description The reason. `worker`: the task is ready and waits for its turn.
       * @enum {string}
       */
      because:
        | 'state'
        | 'held'
        | 'hold'
        | 'job'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'quarantined'
        | 'prerequisites'
        | 'resource'
        | 'due'
        | 'target-failing'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'draining'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'lease-over'
        | 'worker';
      /**
       * @description With `state`: the state that prevents a claim. With `ended`: the final state. With `job` and `key-failure`: the state of the named task.
       * @enum {string}
       */
      state?:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description Who caused it. */
      by?: string;
      /**
       * Format: date-time
       * @description With `cancel-requested`, `decision`, `ended` and `quarantined`: when.
       */
      at?: string;
      /** @description With `cancel-requested`: the worker that was told to stop. With `state`: the worker of a running task. With `lease-over`: the worker that had the lease. */
      worker?: string;
      /**
       * @description With `cancel-requested`: the state of the task once the worker has stopped.
       * @enum {string}
       */
      then?: 'cancelled' | 'held' | 'failed';
      /** @description With `decision` and `ended`. With `target-failing`: the last. With `due`: how the last attempt failed, if the task waits for its retry. */
      error?: components['schemas']['ReasonError'] | null;
      /** @description With `ended`: whether the failure cannot be retried. */
      final?: boolean;
      /** @description With `quarantined`: the error. */
      reason?: string | null;
      /** @description With `quarantined`: the position of the event that cannot be read, as far as it is known. */
      position?: string | null;
      /**
       * Format: date-time
       * @description With `state`: since when the attempt of a running task has run. With `lease-over`: when the lease ended.
       */
      since?: string;
      /** @description With `state`: for how many milliseconds the attempt of a running task has run. */
      ranMs?: number;
      /**
       * Format: date-time
       * @description With `due`, `target-failing` and `queue-paused`. With `state`: when the attempt of a running task ends at the latest; null if nothing limits it. With `quarantined`: when the task is read again. With `lease-over`: when the serial queue is taken over at the latest; null if nothing says so.
       */
      until?: string | null;
      /** @description With `queue-paused`: the failure that made the policy pause the queue. */
      failure?: components['schemas']['QueueFailure'] | null;
      /** @description With `key` and `key-failure`. */
      key?: string;
      /**
       * Format: uuid
       * @description With `key`: the task that occupies the key. With `key-failure`: the earlier task that failed. With `job`: the task that has this one as an item. With `lease-over`: the task of the lease; absent if it is this one. With `ended`: the task whose success superseded it, or that was waiting with the same key when it failed.
       */
      taskId?: string | null;
      /** @description With `held`: the hold that caught the task; absent if a person holds this task alone. With `hold`: a hold in force that catches it. */
      hold?: string;
      /** @description With `resource`: what the next step of the task needs. */
      resource?: string;
      /** @description With `resource`: its gauge must be below this. */
      below?: number;
      /** @description With `resource`: what its gauge shows; null if nobody has measured it for too long, or it does not exist. */
      value?: number | null;
      /**
       * Format: date-time
       * @description With `resource`: when somebody last measured it; null if nobody ever did.
       */
      measuredAt?: string | null;
      /** @description With `resource`: its gauge can never be below the limit, because it is a share in percent. */
      never?: boolean;
      /** @description With `target-failing`: the mail server or host that takes no deliveries. */
      target?: string;
      /** @description With `prerequisites`: how many of them are not done. */
      count?: number;
      /** @description With `prerequisites`: up to 20 of them. */
      blockers?: components['schemas']['BlockerView'][];
      /** @description With `queue-waiting`. */
      queues?: string[];
      /** @description With `queue-failing` and `target-failing`: the number of failures in a row. With `due`, if the task waits for its retry: how many attempts failed, or were lost, since a person last retried it; in its step, if that has a limit of its own. With the rules `max-attempts` and `max-lost`: as many as were used up. */
      failures?: number;
      /** @description With `due`, if the task waits for its retry: how many attempts may fail; null if nothing limits that. Absent if its worker vanished. With the rule `max-attempts`. */
      maxAttempts?: number | null;
      /**
       * @description With `ended`: by which rule of the policy a failed task is not tried again by itself: it retries no failure, none of its class, or the attempts that may fail or be lost are used up. Absent if something else ended it.
       * @enum {string}
       */
      rule?: 'on-failure' | 'classes' | 'max-attempts' | 'max-lost';
      /** @description With the rule `classes`: the classes of failures that the policy retries. */
      classes?: ('business' | 'application' | 'transient' | 'bug' | 'timeout')[];
      /**
       * @description With `no-slot`.
       * @enum {string}
       */
      limit?: 'serial' | 'perServer' | 'maxRunning' | 'perLabel';
      /** @description With the limit `perLabel`: the label by which the queue limits. */
      label?: string;
      /** @description With the limit `perLabel`: its value of the label; null if it lacks the label. */
      labelValue?: string | null;
      /** @description With `worker`: for a minute no worker has claimed tasks at its `step`, or all have given its `kind` back as unknown. */
      unattended?: boolean;
      /**
       * Format: date-time
       * @description With `worker`: the time of the last claim of such tasks; null if there was none for a day.
       */
      lastPolledAt?: string | null;
      /** @description With `worker`: the step at which no worker claims tasks. */
      step?: string;
      /** @description With `worker`: the kind that no worker knows. */
      kind?: string;
      /** @description With `no-slot`: the running tasks. */
      running?: components['schemas']['TaskInHand'][];
    };
    TaskExplanation: {
      /** Format: uuid */
      taskId: string;
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description Every reason; at least one. */
      reasons: components['schemas']['NotRunningReason'][];
      /** @description The place of the task among the ready tasks of its queue, counted up to 10,000. */
      rank: number | null;
      /**
       * @description The commands that people may give for the task, by the names that refusals use.
       * @example [
       *       "RetryTask",
       *       "AbortTask",
       *       "DeleteTask"
       *     ]
       */
      allowed: (
        | 'SubmitTask'
        | 'HoldTask'
        | 'ReleaseTask'
        | 'DecideRetry'
        | 'DecideFail'
        | 'RetryTask'
        | 'ReprioritiseTask'
        | 'RescheduleTask'
        | 'AmendPayload'
        | 'AmendData'
        | 'CancelTask'
        | 'ChangePrerequisites'
        | 'AbortTask'
        | 'DeleteTask'
        | 'OverruleTask'
      )[];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    WaitSum: {
      /** @enum {string} */
      because:
        | 'state'
        | 'held'
        | 'hold'
        | 'job'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'quarantined'
        | 'prerequisites'
        | 'resource'
        | 'due'
        | 'target-failing'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'draining'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'lease-over'
        | 'worker'
        | 'retry'
        | 'behind'
        | 'unknown';
      /** @description For how long. */
      ms: number;
    };
    WaitInterval: {
      /** Format: date-time */
      from: string;
      /**
       * Format: date-time
       * @description The end, at which the next interval of the wait begins.
       */
      until: string;
      /** @description The length. */
      ms: number;
      /**
       * @description The cause that counts: what keeps the task itself comes before what keeps its queue. `retry`: as `due`, after a failed or lost attempt. `behind`: nothing kept the task, but workers had other tasks of its queue. `worker`: nobody ran a task of its queue or had got one for a minute, so no worker asked, as far as is known; its `reason` says `unattended` if that was recorded. `unknown`: more happened in the queue than one answer reads.
       * @enum {string}
       */
      because:
        | 'state'
        | 'held'
        | 'hold'
        | 'job'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'quarantined'
        | 'prerequisites'
        | 'resource'
        | 'due'
        | 'target-failing'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'draining'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'lease-over'
        | 'worker'
        | 'retry'
        | 'behind'
        | 'unknown';
      /** @description As `why` would have said. Null for `behind` and `unknown`. */
      reason: components['schemas']['NotRunningReason'] | null;
      /** @description What else kept it at the beginning of the interval. */
      also: (
        | 'state'
        | 'held'
        | 'hold'
        | 'job'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'quarantined'
        | 'prerequisites'
        | 'resource'
        | 'due'
        | 'target-failing'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'draining'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'lease-over'
        | 'worker'
        | 'retry'
        | 'behind'
        | 'unknown'
      )[];
      /** @description The attempt that the task waited for. */
      attempt: number;
      /** @description With `behind`: how many other tasks of the queue were claimed. */
      claims: number;
    };
    TaskWait: {
      /** Format: uuid */
      taskId: string;
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * Format: date-time
       * @description When it began to wait; null if it never did.
       */
      from: string | null;
      /**
       * Format: date-time
       * @description When its last wait ended, or the moment of the answer if it still waits.
       */
      until: string | null;
      /** @description How long it was open without running, from its submission on. */
      waitedMs: number;
      /** @description By cause, the longest first. They add up to `waitedMs`. */
      sums: components['schemas']['WaitSum'][];
      /** @description In the order of time. They add up to `waitedMs`. */
      intervals: components['schemas']['WaitInterval'][];
      asOf: components['schemas']['AsOf'];
    };
    EventEnvelope: {
      /** @example ann */
      actor: string;
      /** @description The program or assistant that acted on the actor's behalf, as it said. */
      agent?: string;
      correlationId?: string;
      causationId?: string;
      reason?: string;
      tenant?: string;
      /** @description The caller's W3C trace context. */
      traceparent?: string;
      /** @description The version of the queue's policy that the decision was based on. */
      policyVersion?: number;
    };
    EventView: {
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @example queue-mail */
      stream: string;
      revision: number;
      /** Format: uuid */
      id: string;
      /** @example QueuePaused */
      type: string;
      version: number;
      /** Format: date-time */
      recordedAt: string;
      data: {
        [key: string]: unknown;
      };
      envelope: components['schemas']['EventEnvelope'];
      /** @description Why the event cannot be read: what is stored at its position is damaged. `data` is empty then. Filters let it pass if nobody knows whether it matches. */
      unreadable?: string;
    };
    EventList: {
      /** @description The oldest event first. */
      items: components['schemas']['EventView'][];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    GraphNode: {
      /** @description The id of the task or batch, or a name for a fold. */
      id: string;
      /** @description 0: needs nothing of the graph. Otherwise one more than the highest level that it needs. */
      level: number;
      /**
       * @description `fold`: several tasks of one level, queue and state, in a graph of more than 150 nodes.
       * @enum {string}
       */
      kind: 'task' | 'batch' | 'fold';
      title: string;
      /** @description null for a batch. */
      queue: string | null;
      state: string;
      /** @description Whether it waits for others. */
      blocked: boolean;
      /** @description How far a running task is, in percent, if it has reported. */
      percent?: number;
      /** @description How many tasks a fold stands for. */
      count?: number;
    };
    GraphEdge: {
      /** @description The prerequisite. */
      from: string;
      /** @description What waits for it. */
      to: string;
      /** @description Whether an abort of the prerequisite counts as done. */
      ignore: boolean;
      /** @description Whether the prerequisite is done. */
      closed: boolean;
    };
    TaskGraph: {
      nodes: components['schemas']['GraphNode'][];
      edges: components['schemas']['GraphEdge'][];
      /** @description The ids from a blocked task to what keeps it from running; empty if nothing is blocked. */
      cause: string[];
      /** @description The number of tasks and batches. */
      total: number;
      /** @description Whether tasks of the same level, queue and state are shown as one. */
      folded: boolean;
      /** @description Whether there are more than the 5,000 that were read, or than can be shown. As of a moment, also whether there may be more tasks that have stopped waiting since. */
      truncated: boolean;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    TaskResult: {
      /** Format: uuid */
      task: string;
      /** @example mail */
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description Whether the task has ended. A failed or cancelled task may still be retried by somebody. */
      ended: boolean;
      /** @description The result that the worker reported with its success; null before. */
      result: unknown;
      /** Format: date-time */
      finishedAt: string | null;
      /**
       * @description That of the task's newest event.
       * @example 4711
       */
      position: string;
      /** @description The last failure of a task that has not succeeded. */
      error: components['schemas']['TaskErrorView'] | null;
    };
    PrerequisiteResult: {
      /**
       * Format: uuid
       * @description Absent if it is outside of the queues of the API key.
       */
      id?: string;
      /** @enum {string} */
      is: 'task' | 'batch';
      /** @description A result is there once it is `succeeded`. */
      state: string;
      /**
       * @description Null of a batch.
       * @example mail
       */
      queue: string | null;
      /**
       * @description Null of a batch.
       * @example task
       */
      kind: string | null;
      key: string | null;
      /** @description Of a batch: its name. */
      reference: string | null;
      /** @description What the worker of the task reported with its success; null of everything else. */
      result: unknown;
    };
    PrerequisiteResultPage: {
      /** @description In the order of their ids. */
      items: components['schemas']['PrerequisiteResult'][];
      /** @description Pass it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
    };
    FollowedError: {
      message: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
    };
    FollowedEvent: {
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @example TaskClaimed */
      type: string;
      /** Format: date-time */
      recordedAt: string;
    };
    FollowedTask: {
      /** Format: uuid */
      task: string;
      /** @example mail */
      queue: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description Whether the task has ended. A failed or cancelled task may still be retried by somebody. */
      ended: boolean;
      /** @description The result that the worker reported with its success; null before. */
      result: unknown;
      /** Format: date-time */
      finishedAt: string | null;
      /**
       * @description That of the task's newest event.
       * @example 4711
       */
      position: string;
      /** @enum {string} */
      type: 'Followed';
      /** @description The last failure of a task that has not succeeded. */
      error: components['schemas']['FollowedError'] | null;
      /** @description What happened since the message before, oldest first. */
      events: components['schemas']['FollowedEvent'][];
    };
    FollowTokenRequest: {
      /** @description How long the token is valid, in milliseconds; an hour if absent. */
      expiresInMs?: number;
    };
    FollowToken: {
      /** @description Send it as `Authorization: Bearer <token>` with `GET /v1/tasks/{id}/follow`. */
      token: string;
      /** Format: uuid */
      task: string;
      /** Format: date-time */
      expiresAt: string;
    };
    KeptLogLine: {
      /** @description From 1 in each attempt: a line that is sent twice is kept once. */
      number: number;
      /**
       * Format: date-time
       * @description By the clock of the worker.
       * @example 2026-11-28T14:05:00.000Z
       */
      at: string;
      /** @enum {string} */
      level: 'debug' | 'info' | 'warn' | 'error';
      /**
       * @description NUL and halves of surrogate pairs are replaced by U+FFFD here, and in the fields.
       * @example Charged the card
       */
      text: string;
      /**
       * @description What belongs to the line.
       * @example {
       *       "order": 7
       *     }
       */
      fields: {
        [key: string]: unknown;
      };
      attempt: number;
    };
    TaskLogPage: {
      /** @description The oldest first. */
      items: components['schemas']['KeptLogLine'][];
      /** @description Continues after the last line, also after the last one that there is. */
      nextCursor: string;
      /** @description Whether there are more lines already. */
      more: boolean;
      /** @description Whether the task has ended, so that no line follows unless it runs again. */
      ended: boolean;
    };
    RetryTaskRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @description The step to start from; if absent, the step that failed. */
      step?: string;
      /** @description Allows a step other than the next one. The history records it. */
      override?: boolean;
    };
    DecideTaskRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @enum {string} */
      decision: 'retry' | 'fail';
    };
    PrioritiseTaskRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description Higher priorities run first, then older tasks.
       * @example 10
       */
      priority: number;
    };
    RescheduleTaskRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: date-time
       * @description null: the task is due now.
       */
      dueAt: string | null;
    };
    AmendTaskRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @example {
       *       "to": "ann@example.com"
       *     }
       */
      payload: unknown;
    };
    TaskDataRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.
       * @example {
       *       "spaceNeeded": 4711
       *     }
       */
      data: {
        [key: string]: unknown;
      };
    };
    PrerequisitesRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      add?: components['schemas']['Prerequisite'][];
      /** @description The ids of tasks and batches that the task need no longer wait for. */
      waive?: string[];
    };
    OverruleTaskRequest: {
      /** @enum {string} */
      verdict: 'succeed' | 'fail' | 'requeue';
      /** @example The worker hangs; the mail was sent */
      reason: string;
      /**
       * @description With `succeed`: the result of the task. With `fail`: the details of its error.
       * @example {
       *       "sent": 12
       *     }
       */
      result?: unknown;
    };
    RunAgainRequest: {
      /**
       * @description If absent, the payload of the first run.
       * @example {
       *       "to": "bob@example.com"
       *     }
       */
      payload?: unknown;
      /** @description The step to begin at, with the data that were recorded. If absent, the first one, with the data as they were submitted. */
      fromStep?: string;
      /** @description If absent, the queue of the first run. */
      queue?: string;
      /** @example The letters of Monday were blank */
      reason: string;
    };
    LineageNode: {
      /** Format: uuid */
      id: string;
      /** @description The steps from the task: below 0 for what led to it, above 0 for what followed from it. */
      level: number;
      /** @enum {string} */
      kind: 'task' | 'batch';
      /** @description The reference or the kind of a task, the name of a batch. */
      title: string;
      /** @description null for a batch. */
      queue: string | null;
      /** @description null if the lists do not know the task yet. */
      state: string | null;
    };
    LineageLink: {
      /** Format: uuid */
      cause: string;
      /** Format: uuid */
      effect: string;
      /**
       * @description `context`: it was submitted within the work of the cause; `trigger`: an event of the cause fired a trigger; `plan`: the cause planned its batch; `rerun`: it runs the cause again; `operation`: the operation gave it a command, or made it; `item`: the job is for the item; `cascade`: it was aborted because the cause was; `supersession`: the success of the cause superseded it; `delivery`: it tells of the cause.
       * @enum {string}
       */
      kind: 'context' | 'trigger' | 'plan' | 'rerun' | 'operation' | 'item' | 'cascade' | 'supersession' | 'delivery';
      /**
       * @description That of the event that names the cause.
       * @example 4711
       */
      position: string;
    };
    Lineage: {
      /** @description Up to 1,000 tasks and batches, with the task itself. */
      nodes: components['schemas']['LineageNode'][];
      links: components['schemas']['LineageLink'][];
      /** @description Whether there are more than the 500 links that were read in one of the directions. */
      truncated: boolean;
      /** @description How many are left out because they are outside of the queues of the API key. */
      hidden: number;
    };
    Overlap: {
      /**
       * @description That of the late report.
       * @example 4711
       */
      position: string;
      queue: string;
      /** Format: uuid */
      task: string;
      /** @description The attempt that was lost, and reported after the next one had begun. */
      attempt: number;
      worker: string;
      nextAttempt: number;
      nextWorker: string;
      /**
       * Format: date-time
       * @description When the attempt was lost.
       */
      lostAt: string;
      /**
       * Format: date-time
       * @description When the next attempt began.
       */
      begunAt: string;
      /**
       * Format: date-time
       * @description When the late report came, or the next attempt had ended before that.
       */
      endedAt: string;
    };
    OverlapPage: {
      items: components['schemas']['Overlap'][];
      /** @description null on the last page. */
      nextCursor: string | null;
      /** Format: date-time */
      from: string;
      /** Format: date-time */
      to: string;
      /** @description How many overlaps the range has. */
      overlaps: number;
      /** @description How many attempts began in the range: in the whole minutes that it touches, or in the whole hours if it begins more than a week ago. */
      attempts: number;
      /** @description `overlaps` of `attempts`; null without attempts. */
      share: number | null;
    };
    BatchPlan: {
      /** @example submissions */
      queue: string;
      /** @description If absent, the first kind of the queue's policy, or 'task'. */
      kind?: string;
      key?: string;
      reference?: string;
      priority?: number;
      description?: string;
      /**
       * Format: date-time
       * @description The batch is not planned before this time.
       */
      dueAt?: string;
      /**
       * Format: date-time
       * @description From this time on, no worker gets the task.
       */
      expiresAt?: string;
      /** @description Instead of `expiresAt`: how long it may wait for a worker, in milliseconds from its due time or its submission. If absent, the policy of the queue decides. */
      ttlMs?: number;
      /**
       * Format: date-time
       * @description When the plan should be done.
       */
      deadlineAt?: string;
      /**
       * @example {
       *       "manifest": "https://example.com/manifest.checkm"
       *     }
       */
      payload?: unknown;
    };
    MailTarget: {
      /**
       * @example [
       *       "ann@example.com"
       *     ]
       */
      to: string[];
    };
    WebhookTarget: {
      /** @example https://shop.example.com/hooks/waybill */
      url: string;
      /**
       * @description The name of the secret that signs, in `WAYBILL_WEBHOOK_SECRETS`.
       * @example shop
       */
      secret: string;
    };
    ReportTarget: {
      mail?: components['schemas']['MailTarget'];
      webhook?: components['schemas']['WebhookTarget'];
    };
    BatchDefinition: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: uuid
       * @description Generated if absent. Repeating a creation with the same id has no further effect.
       */
      id?: string;
      /** @example CAN ingest 4711 */
      name: string;
      description?: string;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels?: {
        [key: string]: string;
      };
      /** @description A task that adds the tasks of the batch and opens it. If absent, the caller does. */
      plan?: components['schemas']['BatchPlan'];
      /**
       * @description The batch preset; if absent, that of the queue of `plan`, or none.
       * @example repository
       */
      preset?: string;
      /**
       * @description How runs of failed tasks are reported: `auto` when all have ended again, `update` when somebody asks for it, `own` each by itself, `rerun-batch` in a batch of their own. If absent, the queue of `plan` or the preset decides.
       * @enum {string}
       */
      reRunReporting?: 'auto' | 'update' | 'own' | 'rerun-batch';
      /** @description Who gets each report, as mail, by a webhook, or both. */
      reportTo?: components['schemas']['ReportTarget'];
    };
    OpenBatchRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description How many tasks the batch must have. If it has another number, nothing is opened.
       * @example 8
       */
      tasks: number;
    };
    BatchView: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string | null;
      labels: {
        [key: string]: string;
      };
      /** @enum {string} */
      state: 'planning' | 'running' | 'completed' | 'failed' | 'reporting' | 'aborted' | 'deleted';
      /**
       * @description The state and, while a task plans the batch, how far that is.
       * @enum {string}
       */
      phase:
        | 'planning'
        | 'pending'
        | 'held'
        | 'processing'
        | 'running'
        | 'completed'
        | 'failed'
        | 'reporting'
        | 'aborted'
        | 'deleted';
      /** @description The phase in the words of the batch's preset. */
      stateName: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the batch last ended.
       */
      endedAt: string | null;
      /**
       * Format: uuid
       * @description The task that plans the batch.
       */
      planner: string | null;
      /** @enum {string|null} */
      plannerState:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
        | null;
      /** @description Why the batch could not be planned. */
      error: string | null;
      preset: string | null;
      /** @enum {string} */
      reRunReporting: 'auto' | 'update' | 'own' | 'rerun-batch';
      reportTo: components['schemas']['ReportTarget'] | null;
      /**
       * Format: uuid
       * @description The failed batch whose tasks this one runs again.
       */
      rerunOf: string | null;
      /**
       * Format: uuid
       * @description The batch that runs the failed tasks of this one again.
       */
      rerun: string | null;
      /** @description How often it has reported. */
      reports: number;
      /** Format: date-time */
      reportedAt: string | null;
      /** @description The commands that it takes now; none as of a moment. */
      commands: ('OpenBatch' | 'ReleaseBatch' | 'RequestReport' | 'RerunBatch' | 'AbortBatch' | 'DeleteBatch')[];
      /** @description How many tasks the batch has. */
      total: number;
      /** @description How many of them have not ended. */
      open: number;
      succeeded: number;
      failed: number;
      aborted: number;
      deleted: number;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
    };
    BatchPage: {
      items: components['schemas']['BatchView'][];
      /** @description Pass it as `cursor` to get the next page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    BatchDetails: {
      /** Format: uuid */
      id: string;
      name: string;
      description: string | null;
      labels: {
        [key: string]: string;
      };
      /** @enum {string} */
      state: 'planning' | 'running' | 'completed' | 'failed' | 'reporting' | 'aborted' | 'deleted';
      /**
       * @description The state and, while a task plans the batch, how far that is.
       * @enum {string}
       */
      phase:
        | 'planning'
        | 'pending'
        | 'held'
        | 'processing'
        | 'running'
        | 'completed'
        | 'failed'
        | 'reporting'
        | 'aborted'
        | 'deleted';
      /** @description The phase in the words of the batch's preset. */
      stateName: string;
      /** Format: date-time */
      createdAt: string;
      /**
       * Format: date-time
       * @description When the batch last ended.
       */
      endedAt: string | null;
      /**
       * Format: uuid
       * @description The task that plans the batch.
       */
      planner: string | null;
      /** @enum {string|null} */
      plannerState:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
        | null;
      /** @description Why the batch could not be planned. */
      error: string | null;
      preset: string | null;
      /** @enum {string} */
      reRunReporting: 'auto' | 'update' | 'own' | 'rerun-batch';
      reportTo: components['schemas']['ReportTarget'] | null;
      /**
       * Format: uuid
       * @description The failed batch whose tasks this one runs again.
       */
      rerunOf: string | null;
      /**
       * Format: uuid
       * @description The batch that runs the failed tasks of this one again.
       */
      rerun: string | null;
      /** @description How often it has reported. */
      reports: number;
      /** Format: date-time */
      reportedAt: string | null;
      /** @description The commands that it takes now; none as of a moment. */
      commands: ('OpenBatch' | 'ReleaseBatch' | 'RequestReport' | 'RerunBatch' | 'AbortBatch' | 'DeleteBatch')[];
      /** @description How many tasks the batch has. */
      total: number;
      /** @description How many of them have not ended. */
      open: number;
      succeeded: number;
      failed: number;
      aborted: number;
      deleted: number;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description The tasks for which the batch waits, by queue and state. Also cancelled ones, which may be retried, and the task that plans the batch, until it is opened. */
      openTasks: components['schemas']['OpenTasks'][];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    BatchCounts: {
      total: number;
      /** @description A superseded task counts as succeeded. */
      succeeded: number;
      failed: number;
      aborted: number;
      deleted: number;
    };
    ReportedChange: {
      /** Format: uuid */
      task: string;
      /** @description The task's reference or, without one, its description. */
      name?: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description Its state in the report before; absent in the first.
       * @enum {string}
       */
      from?:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
    };
    ReportedTask: {
      /** Format: uuid */
      task: string;
      /** @description The task's reference or, without one, its description. */
      name?: string;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
    };
    ReportDelivery: {
      /**
       * Format: uuid
       * @description The task that delivers the report.
       */
      id: string;
      /** @enum {string} */
      kind: 'mail' | 'webhook';
      /**
       * @description null: it is about to be ordered.
       * @enum {string|null}
       */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
        | null;
    };
    BatchReport: {
      /** @description From 1. */
      number: number;
      /** Format: date-time */
      at: string;
      /**
       * @description `task`: one task that was run again after the batch had ended.
       * @enum {string}
       */
      about: 'batch' | 'task';
      /** @description null in a report about one task. */
      counts: components['schemas']['BatchCounts'] | null;
      /** @description The first report has all tasks, those that are not complete first; later ones what has changed. 500 at most. */
      changes: components['schemas']['ReportedChange'][];
      /** @description How many changes are left out. */
      more: number;
      /** @description The tasks that are not complete. 500 at most. */
      incomplete: components['schemas']['ReportedTask'][];
      deliveries: components['schemas']['ReportDelivery'][];
    };
    BatchReportPage: {
      items: components['schemas']['BatchReport'][];
      /** @description Pass it as `cursor` to get the next page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    BatchTally: {
      queue: string;
      /** @description The step that the tasks completed last. */
      step: string | null;
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description The state in the words of the queue. */
      stateName: string;
      tasks: number;
    };
    BatchTallyList: {
      items: components['schemas']['BatchTally'][];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    BulkOperationFilter: {
      /**
       * @description What must match besides the other fields, term by term: `id:` (whole, or its last 8 characters), `queue:`, `state:`, `kind:`, `key:`, `reference:`, `batch:`, `worker:`, `step:`, `label.NAME:`, `payload.PATH:` (in queues that are searched by it), `error:` (its class, or text of it), `actor:`, `build:`, `since:` and `until:` (enqueued), `ended>` and `ended<`, and words of the reference, the key, the description or the error. Commas separate alternatives, and `key:`, `reference:`, `kind:` and `worker:` take beginnings such as `inv-*`. A search for which no index has few tasks is refused.
       * @example state:failed error:"timed out" since:2h
       */
      q?: string;
      queue?: string;
      /** @enum {string} */
      state?:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      key?: string;
      reference?: string;
      kind?: string;
      worker?: string;
      step?: string;
      /** Format: uuid */
      batch?: string;
      /**
       * @description Only tasks that failed last in this group of failures.
       * @example g3fa9c01d22b7e48
       */
      group?: string;
      /**
       * @description As `name:value`.
       * @example customer:acme
       */
      label?: string;
      /** @description `true`: only open tasks whose deadline has passed. */
      overdue?: boolean;
      /**
       * @description `deadline`: only tasks that have a deadline.
       * @enum {string}
       */
      sort?: 'deadline';
      /** @description Only tasks of which an event was decided by this version of the queue's policy. Read from the log: up to 50,000 such events, for up to 10 seconds. Needs `queue`. */
      policyVersion?: number;
      /**
       * Format: date-time
       * @description With `policyVersion`: only by events from this time on.
       */
      decidedSince?: string;
      /**
       * Format: date-time
       * @description With `policyVersion`: only by events before this time.
       */
      decidedUntil?: string;
    };
    RunAgainFields: {
      /**
       * @description If absent, the payload of the first run.
       * @example {
       *       "to": "bob@example.com"
       *     }
       */
      payload?: unknown;
      /** @description The step to begin at, with the data that were recorded. If absent, the first one, with the data as they were submitted. */
      fromStep?: string;
      /** @description If absent, the queue of the first run. */
      queue?: string;
    };
    CanaryRequest: {
      /**
       * @description How many tasks are tried. Those that refuse the command do not count.
       * @example 5
       */
      first: number;
      /**
       * @description The least share of them that must succeed.
       * @example 0.8
       */
      goOnIf: number;
      /** @description How long the operation waits for their ends; 600000 if absent. Those that are open then have not succeeded. */
      withinMs?: number;
    };
    BulkOperationRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description `runAgain` runs ended tasks again, each as a new task, and needs a reason. `deleteQueue` deletes the queue that `filter` names, with all of its tasks: it closes the intake, lets nothing more begin, waits for the tasks that run, and deletes everything.
       * @enum {string}
       */
      command: 'retry' | 'cancel' | 'abort' | 'hold' | 'release' | 'prioritise' | 'delete' | 'runAgain' | 'deleteQueue';
      /** @description Which tasks. Either this, `tasks` or `all` is given; with `deleteQueue`, this with a queue alone. */
      filter?: components['schemas']['BulkOperationFilter'];
      /** @description The ids of the tasks. */
      tasks?: string[];
      /** @description Every task, except those of the service's own queues. */
      all?: boolean;
      /** @description With `prioritise`: the new priority. */
      priority?: number;
      /** @description With `runAgain`: in what the second runs differ from the first. */
      again?: components['schemas']['RunAgainFields'];
      /** @description With `retry` and `release`: only the first tasks get the command, and the others once enough of those have succeeded. If too few do, the operation fails, and leaves the others alone. */
      canary?: components['schemas']['CanaryRequest'];
      /**
       * @description The most tasks that get the command in a second. As fast as possible if absent.
       * @example 20
       */
      perSecond?: number;
      /**
       * @description With `deleteQueue`: whether to wait until the running tasks end (the default), or to ask their workers to stop.
       * @enum {string}
       */
      running?: 'finish' | 'cancel';
      /** @description `true`: only count the tasks. `decided`: also decide what the command would do with the first 10,000 of them. Neither changes anything. */
      preview?: boolean | 'decided';
      /**
       * @description The position of a preview: tasks that have changed since are left alone, and counted under `CHANGED_SINCE_PREVIEW`.
       * @example 4711
       */
      asPreviewed?: string;
    };
    PreviewedMove: {
      /** @enum {string} */
      from:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description The same as `from` if the task would keep its state.
       * @enum {string}
       */
      to:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      count: number;
    };
    PreviewExample: {
      /** Format: uuid */
      task: string;
      /**
       * @description Its state now; absent if it would refuse.
       * @enum {string}
       */
      from?:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description Its state after the command; absent if it would refuse.
       * @enum {string}
       */
      to?:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /**
       * @description Why it would refuse.
       * @example ILLEGAL_TRANSITION
       */
      code?: string;
    };
    OperationPreview: {
      /**
       * @description Where in the log it was decided. `asPreviewed` takes it.
       * @example 4711
       */
      position: string;
      /** @description How many tasks were decided: all that matched, or the first 10,000. */
      decided: number;
      /** @description How many would have the command, also because they have it already. */
      done: number;
      /** @description What would become of them. */
      moves: components['schemas']['PreviewedMove'][];
      /**
       * @description How many would refuse it, by the code of the refusal.
       * @example {
       *       "ILLEGAL_TRANSITION": 2
       *     }
       */
      refused: {
        [key: string]: number;
      };
      /** @description How many others an abort would take along, because they wait for these; 100,000 at most. Of its undo: how many of those that it took along would come back, which are among the decided. */
      takenAlong: number;
      /** @description How many others would have nothing left to wait for, because they ignore the abort; 100,000 at most. */
      unblocked: number;
      /**
       * @description How often each trigger would fire, by its name.
       * @example {
       *       "tell-ann": 2
       *     }
       */
      triggers: {
        [key: string]: number;
      };
      /** @description The first 20 tasks. */
      examples: components['schemas']['PreviewExample'][];
    };
    StartedBulkOperation: {
      /** @description How many tasks matched when the operation was ordered. */
      count: number;
      /** @description With `deleteQueue`: how many of them run. */
      running?: number;
      /**
       * Format: uuid
       * @description The id of the operation, which is a task; null for a preview.
       */
      id: string | null;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string | null;
      /** @description With `preview: decided`. */
      preview?: components['schemas']['OperationPreview'];
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    ProgressBar: {
      /**
       * @description What advances; every bar of a task has another title.
       * @example links
       */
      title: string;
      /** @description Where the position begins. */
      start: number;
      /** @description Where the position ends. */
      end: number;
      /** @description How far the work is. */
      position: number;
    };
    OperationView: {
      /**
       * Format: uuid
       * @description Of the operation, which is a task: commands for that task pause, resume and abort it.
       */
      id: string;
      /**
       * @description A paused operation is `held`.
       * @enum {string}
       */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @example retry */
      command: string;
      /** @description Who ordered it. */
      by: string;
      reason: string | null;
      /** Format: date-time */
      orderedAt: string;
      /**
       * Format: date-time
       * @description Null while it has not ended.
       */
      finishedAt: string | null;
      /** @description How many tasks matched when it was ordered. */
      expected: number;
      /** @description What was ordered: command, tasks or filter, and options. */
      order: unknown;
      progress: components['schemas']['ProgressBar'][];
      /** @description How many tasks were asked (`asked`), have the command (`done`) or refused it, by the code of the refusal (`refused`), with `examples`. Also while it is under way and after it was stopped; null before its first tasks. */
      result: unknown;
      /** @description What its canary decided (`goesOn`), and what had become of the tried tasks; else null. */
      canary: unknown;
      /** @description Why it failed. */
      error: string | null;
    };
    OperationPage: {
      items: components['schemas']['OperationView'][];
      /** @description Null on the last page. A page looks at a bounded number of operations, so one may be empty and others follow. */
      nextCursor: string | null;
    };
    UndoRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @description `true`: only decide what would become of the first 10,000 tasks. Nothing is changed. */
      preview?: boolean;
    };
    FailedGroup: {
      /**
       * @description The id of a group of failures.
       * @example g3fa9c01d22b7e48
       */
      group: string;
      /** @description How many of the tasks failed in it last. */
      failed: number;
    };
    OperationOutcome: {
      succeeded: number;
      /** @description Those that failed, or wait for a decision after they did. */
      failed: number;
      open: number;
      /** @description Those that were cancelled, aborted, superseded or deleted. */
      ended: number;
      /** @description The 20 largest groups in which those that failed did so last. The newest failures may not be in their group yet. */
      groups: components['schemas']['FailedGroup'][];
    };
    OperationDetails: {
      /**
       * Format: uuid
       * @description Of the operation, which is a task: commands for that task pause, resume and abort it.
       */
      id: string;
      /**
       * @description A paused operation is `held`.
       * @enum {string}
       */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @example retry */
      command: string;
      /** @description Who ordered it. */
      by: string;
      reason: string | null;
      /** Format: date-time */
      orderedAt: string;
      /**
       * Format: date-time
       * @description Null while it has not ended.
       */
      finishedAt: string | null;
      /** @description How many tasks matched when it was ordered. */
      expected: number;
      /** @description What was ordered: command, tasks or filter, and options. */
      order: unknown;
      progress: components['schemas']['ProgressBar'][];
      /** @description How many tasks were asked (`asked`), have the command (`done`) or refused it, by the code of the refusal (`refused`), with `examples`. Also while it is under way and after it was stopped; null before its first tasks. */
      result: unknown;
      /** @description What its canary decided (`goesOn`), and what had become of the tried tasks; else null. */
      canary: unknown;
      /** @description Why it failed. */
      error: string | null;
      /** @description What the tasks that have the command are now; null if none has it, or it is not known which. */
      became: components['schemas']['OperationOutcome'] | null;
    };
    ErasureRequest: {
      /**
       * @description The tasks and batches with this label, as `name:value`. One of this, `key`, `task` and `endedBefore` is given.
       * @example customer:acme
       */
      label?: string;
      /** @description The tasks of this key, in the queue that `queue` names. */
      key?: string;
      /** @description With `key` or `endedBefore`. */
      queue?: string;
      /**
       * Format: uuid
       * @description This task alone.
       */
      task?: string;
      /**
       * @description A purge: the tasks of `queue` that ended before this time, or this long ago, and are not erased yet. It passes over failed tasks with a key, and over what a legal hold covers.
       * @example 90d
       */
      endedBefore?: 'now' | unknown | unknown;
      /**
       * @description The reason, for the history, which is never erased: do not name a person.
       * @example Art. 17, ticket 88
       */
      reason: string;
      /** @description Whether tasks are aborted that have not ended, or that failed and have a key, and batches that have not ended, with their tasks. Without it, they stay as they are, and the result counts them under `TASK_NOT_ENDED` and `BATCH_NOT_ENDED`. */
      abortOpen?: boolean;
      /** @description `true`: only count the tasks. Nothing is changed. */
      preview?: boolean;
    };
    StartedErasure: {
      /** @description How many tasks matched when the erasure was ordered. */
      tasks: number;
      /** @description With `preview`: how many tasks and batches of them have not ended, or are tasks that failed and have a key. */
      open?: number;
      /** @description With `preview`: how many batches match, too. */
      batches?: number;
      /** @description With `preview`: how many refused rows of the outbox match, too. */
      outbox?: number;
      /** @description Whether the erasure waits until somebody else with the permission `erase` releases its task, which approves it (`WAYBILL_ERASURE_APPROVAL`). */
      needsApproval: boolean;
      /**
       * Format: uuid
       * @description The id of the erasure, which is a task; null for a preview.
       */
      id: string | null;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    OrderedErasure: {
      by: string;
      /** Format: date-time */
      at: string;
      reason: string | null;
    };
    GivenBy: {
      by: string;
      /** Format: date-time */
      at: string;
    };
    ErasureOutcome: {
      /** @description The tasks whose private halves were erased. */
      erased: number;
      /** @description The batches whose private halves were erased. */
      batches: number;
      /** @description The tasks and batches that another erasure had erased before, which no certificate but its own has. Absent if an earlier version carried it out: `erased` and `batches` count them, too. */
      alreadyErased?: number;
      /** @description The halves, one for each event that had one. */
      halves: number;
      /** @description The refused rows of the outbox that were deleted. */
      outbox: number;
      /** @description How many tasks and rows were not erased, by the code of the refusal. */
      refused: {
        [key: string]: number;
      };
    };
    SealedSpan: {
      /** @description The last seal before the order, also if its key was retired since; null if there was none. */
      before: string | null;
      /** @description The first seal that covers the end of the erasure. */
      after: string;
      /** @description What proves that the log of the first is the beginning of that of the second (RFC 6962, section 2.1.2), in Base64. */
      consistency: string[];
      /** @description The last seals under the keys that were retired between the two: each names the key of the next one. */
      lastSeals: string[];
    };
    PrivateHalf: {
      /** @description Which event of the segment it is of, from 0. */
      event: number;
      /** @description In Base64. The SHA-256 of the salt and the half is the commitment in the text. */
      salt: string;
      /** @description As stored. */
      half: string;
    };
    SegmentProof: {
      /**
       * @description That of the first event of the segment.
       * @example 4711
       */
      position: string;
      /** @description The line that stands for the segment in the tree of the log. */
      leaf: string;
      /** @description The text of the segment, whose SHA-256 is in the leaf. It has the public halves of all events that were appended with it. */
      text: string;
      /** @description The proof that the leaf is in the tree, with the seal (c2sp.org/tlog-proof). */
      proof: string;
      /** @description Empty unless asked for. */
      private: components['schemas']['PrivateHalf'][];
    };
    TaskProof: {
      /** @enum {string} */
      format: 'waybill-proof';
      version: number;
      /** Format: uuid */
      task: string;
      /** @description Whether the task has more events than the 500 that a proof takes. */
      truncated: boolean;
      /** @description In the order of the log. */
      segments: components['schemas']['SegmentProof'][];
    };
    ErasedItem: {
      /** @enum {string} */
      kind: 'task' | 'batch';
      /** Format: uuid */
      id: string;
      /**
       * @description That of the event that says so, which is in one of the segments.
       * @example 4711
       */
      position: string;
    };
    LogAudited: {
      /**
       * Format: date-time
       * @description When this pass over the log began.
       */
      since: string;
      /**
       * @description That of the last event whose text it has read.
       * @example 4711
       */
      position: string;
    };
    CopyPlace: {
      where: string;
      /**
       * Format: date-time
       * @description When the last one is gone (`WAYBILL_BACKUP_DAYS`); null if nobody has said.
       */
      until: string | null;
      says: string;
    };
    StatedOfErasure: {
      /** Format: date-time */
      at: string;
      /** @description How far the notary has read the texts of the log again in a pass that began after the erasure; null if it has not begun one since. */
      audited: components['schemas']['LogAudited'] | null;
      /** @description What to run to see for oneself. */
      toRun: string[];
      /** @description Where contents may still be. */
      copies: components['schemas']['CopyPlace'][];
    };
    ErasureCertificate: {
      /** @enum {string} */
      format: 'waybill-erasure-certificate';
      version: number;
      /**
       * Format: uuid
       * @description The id of the order.
       */
      erasure: string;
      ordered: components['schemas']['OrderedErasure'];
      /** @description Who approved it; null if nobody had to. */
      approved: components['schemas']['GivenBy'] | null;
      result: components['schemas']['ErasureOutcome'];
      seals: components['schemas']['SealedSpan'];
      /** @description Of the order, with its private halves, which name nobody whose contents were erased. */
      order: components['schemas']['TaskProof'];
      /** @description What was erased, by id: up to 500. */
      erased: components['schemas']['ErasedItem'][];
      /** @description Those with the events that say so. */
      segments: components['schemas']['SegmentProof'][];
      /**
       * Format: uuid
       * @description Give it as `after` for what else was erased; null if there is nothing else.
       */
      next: string | null;
      /** @description What the service says, and nothing proves. */
      stated: components['schemas']['StatedOfErasure'];
    };
    MailOrder: {
      /**
       * @example [
       *       "ann@example.com"
       *     ]
       */
      to: string[];
      subject: string;
      text: string;
    };
    WebhookOrder: {
      /** @example https://shop.example.com/hooks/waybill */
      url: string;
      /**
       * @description The name of the secret that signs, in `WAYBILL_WEBHOOK_SECRETS`.
       * @example shop
       */
      secret: string;
      /**
       * @description The `type` of the CloudEvent.
       * @example com.example.stock-counted
       */
      type: string;
      /** @description The `subject` of the CloudEvent. */
      subject?: string;
      /** @description The `data` of the CloudEvent. */
      data: unknown;
    };
    DeliveryRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: uuid
       * @description The id of the delivery; generated if absent. Repeating a request with the same id has no further effect.
       */
      id?: string;
      /** @description Either this or `webhook` is given. */
      mail?: components['schemas']['MailOrder'];
      webhook?: components['schemas']['WebhookOrder'];
    };
    Recipient: {
      mail?: components['schemas']['MailTarget'];
      webhook?: components['schemas']['WebhookTarget'];
    };
    ToldChanges: {
      /**
       * @description The tasks of this queue.
       * @example mail
       */
      queue: string;
      /** @description Who is told: either `mail` or `webhook`. */
      to: components['schemas']['Recipient'];
    };
    EventPattern: {
      /** @description The types of the events, such as `TaskFailed`, which is also a `TaskOverruled` that fails the task. */
      types: (
        | 'TaskPrepared'
        | 'TaskEnqueued'
        | 'TaskEnqueueRejected'
        | 'TaskSubmitted'
        | 'TaskHeld'
        | 'TaskReleased'
        | 'TaskClaimed'
        | 'TaskStepCompleted'
        | 'TaskDataRecorded'
        | 'TaskErrorReported'
        | 'TaskAttemptFailed'
        | 'TaskRetryScheduled'
        | 'TaskDecisionRequested'
        | 'TaskFailed'
        | 'TaskRetried'
        | 'TaskSucceeded'
        | 'TaskLeaseExpired'
        | 'TaskLateReportRefused'
        | 'TaskReturned'
        | 'TaskCancelRequested'
        | 'TaskCancelled'
        | 'TaskCancelConfirmed'
        | 'TaskAborted'
        | 'TaskSuperseded'
        | 'TaskReprioritised'
        | 'TaskRescheduled'
        | 'TaskDeadlineMissed'
        | 'TaskPayloadAmended'
        | 'TaskPrerequisitesChanged'
        | 'TaskDeleted'
        | 'TaskOverruled'
        | 'TaskRestored'
        | 'TaskErased'
        | 'QueueDefined'
        | 'QueuePolicyChanged'
        | 'QueuePaused'
        | 'QueueResumed'
        | 'QueueIntakeClosed'
        | 'QueueIntakeOpened'
        | 'QueueFinished'
        | 'QueueReopened'
        | 'QueueWaiting'
        | 'QueueActivated'
        | 'QueueDeleted'
        | 'TriggerFailed'
        | 'HoldPlaced'
        | 'HoldLifted'
        | 'ResourceDefined'
        | 'ResourceShort'
        | 'ResourceFree'
        | 'ResourceDeleted'
        | 'SystemDrained'
        | 'SystemQuiesced'
        | 'SystemResumed'
        | 'BatchCreated'
        | 'BatchOpened'
        | 'BatchCompleted'
        | 'BatchFailed'
        | 'BatchPlanFailed'
        | 'BatchReportRequested'
        | 'BatchReported'
        | 'BatchTaskReported'
        | 'BatchRerun'
        | 'BatchAborted'
        | 'BatchErased'
        | 'BatchDeleted'
        | 'QueueUnattended'
        | 'QueueAttended'
        | 'BuildBegan'
        | 'FailureGroupResolved'
        | 'FailureGroupIgnored'
        | 'FailureGroupReopened'
        | 'FailureGroupReturned'
        | 'LogLossAccepted'
        | 'NotaryKeyRetired'
        | 'ViewSaved'
        | 'ViewDeleted'
      )[];
      /** @description Only events of this queue. Events of the queues of the service itself never match. */
      queue?: string;
      /** @description Only failures after which the policy of the queue retries no more. */
      exhausted?: boolean;
      /**
       * @description Begin with events of before: all of them (`beginning`), or those from a time on, or after a position of the log. Kept as a position. If absent, the trigger begins with the next event.
       * @example beginning
       */
      from?: string;
    };
    TriggeredTask: {
      /**
       * @description The kind of task; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description Only one task per key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description Higher priorities run first, then older tasks.
       * @example 0
       */
      priority?: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels?: {
        [key: string]: string;
      };
      description?: string;
      /**
       * @example {
       *       "to": "ann@example.com"
       *     }
       */
      payload?: unknown;
      /** @example reports */
      queue: string;
      /** @description For tasks that lose their use: how long it may wait for a worker, in milliseconds from its due time or its submission. If absent, the policy of the queue decides. */
      ttlMs?: number;
      /** @description Its deadline: milliseconds after its occurrence, after the event that it is made of, or after the look into the queue. */
      deadlineMs?: number;
    };
    TriggerDefinition: {
      /**
       * @description Makes a task at every time at which it occurs: minute, hour, day of the month, month, day of the week.
       * @example 30 2 * * 1-5
       */
      cron?: string;
      /**
       * @description With `cron`: the IANA name of the time zone.
       * @example Europe/Berlin
       */
      timeZone?: string;
      /**
       * @description With `cron`: What becomes of occurrences during which the service was down. `latest`, the default: the last of them makes a task. `each`: each makes one, up to 100. `skip`: none does. `skipped` counts the others.
       * @enum {string}
       */
      missed?: 'each' | 'latest' | 'skip';
      /**
       * @description Looks into this queue at intervals. If it has tasks that are ready, claims some and makes one task for them: their job. Whoever claims the job gets them with it.
       * @example invoices
       */
      queue?: string;
      /** @description With `queue`: the most items of one job; 1 if absent. */
      batchSize?: number;
      /** @description With `queue`: seconds from one look to the next; 30 if absent. */
      every?: number;
      /** @description With `queue`: how long the items wait for a worker of their job before they return to their queue. If absent, the policy of their queue decides. */
      leaseMs?: number;
      /** @description With `cron`, instead of `task`: at every time a delivery tells which tasks of a queue are not what they were at the last one, as `GET /v1/changes` lists them. Each goes on where the one before ended, so `missed` is not `each`. */
      changes?: components['schemas']['ToldChanges'];
      /** @description Makes a task of every event that matches. */
      event?: components['schemas']['EventPattern'];
      /** @description With `event`, instead of `task`: who gets mail of each event. */
      mail?: components['schemas']['MailTarget'];
      /** @description With `event`, instead of `task`: the webhook to call. */
      webhook?: components['schemas']['WebhookTarget'];
      /** @description Who is told when the trigger begins to fail. */
      notify?: components['schemas']['Recipient'];
      /** @description The task that it makes. The `dueAt` of one that a `cron` pattern makes is the occurrence. The payload of one that is made of an event has the event as `event`. */
      task?: components['schemas']['TriggeredTask'];
      /** @example The report of the day before */
      description?: string;
      /** @description The reason, for the history. */
      reason?: string;
    };
    LeftOut: {
      count: number;
      /** @description There were more: they are counted up to a week of minutes. */
      atLeast?: boolean;
      /**
       * Format: date-time
       * @description The first of them.
       */
      from: string;
      /**
       * Format: date-time
       * @description The last of them.
       */
      to: string;
    };
    TriggerReceipt: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      revision: number;
      /** @description false: the command was already done, and nothing was recorded. */
      recorded: boolean;
      /** @description Occurrences, and events that were put aside, that came before the command, had made no task, and now make none. Absent if there are none. */
      dropped?: components['schemas']['LeftOut'];
    };
    TriggerFiring: {
      /**
       * Format: date-time
       * @description The time for which the task was made.
       */
      occurrence: string;
      /** Format: uuid */
      task: string;
      /** Format: date-time */
      firedAt: string;
    };
    SkippedOccurrences: {
      count: number;
      /** @description There were more: they are counted up to a week of minutes. */
      atLeast?: boolean;
      /**
       * Format: date-time
       * @description The first of them.
       */
      from: string;
      /**
       * Format: date-time
       * @description The last of them.
       */
      to: string;
      /** @description The number of all occurrences that the trigger left out so far. */
      total: number;
    };
    TriggerFailure: {
      /** @description How often it failed in a row. */
      failures: number;
      problem: components['schemas']['Problem'];
      /**
       * Format: date-time
       * @description When it tries again; null if it gave up an event.
       */
      retryAt: string | null;
    };
    TriggerView: {
      /**
       * @description Makes a task at every time at which it occurs: minute, hour, day of the month, month, day of the week.
       * @example 30 2 * * 1-5
       */
      cron?: string;
      /**
       * @description With `cron`: the IANA name of the time zone.
       * @example Europe/Berlin
       */
      timeZone?: string;
      /**
       * @description With `cron`: What becomes of occurrences during which the service was down. `latest`, the default: the last of them makes a task. `each`: each makes one, up to 100. `skip`: none does. `skipped` counts the others.
       * @enum {string}
       */
      missed?: 'each' | 'latest' | 'skip';
      /**
       * @description Looks into this queue at intervals. If it has tasks that are ready, claims some and makes one task for them: their job. Whoever claims the job gets them with it.
       * @example invoices
       */
      queue?: string;
      /** @description With `queue`: the most items of one job; 1 if absent. */
      batchSize?: number;
      /** @description With `queue`: seconds from one look to the next; 30 if absent. */
      every?: number;
      /** @description With `queue`: how long the items wait for a worker of their job before they return to their queue. If absent, the policy of their queue decides. */
      leaseMs?: number;
      /** @description With `cron`, instead of `task`: at every time a delivery tells which tasks of a queue are not what they were at the last one, as `GET /v1/changes` lists them. Each goes on where the one before ended, so `missed` is not `each`. */
      changes?: components['schemas']['ToldChanges'];
      /** @description Makes a task of every event that matches. */
      event?: components['schemas']['EventPattern'];
      /** @description With `event`, instead of `task`: who gets mail of each event. */
      mail?: components['schemas']['MailTarget'];
      /** @description With `event`, instead of `task`: the webhook to call. */
      webhook?: components['schemas']['WebhookTarget'];
      /** @description Who is told when the trigger begins to fail. */
      notify?: components['schemas']['Recipient'];
      /** @description The task that it makes. The `dueAt` of one that a `cron` pattern makes is the occurrence. The payload of one that is made of an event has the event as `event`. */
      task?: components['schemas']['TriggeredTask'];
      /** @example nightly-report */
      name: string;
      /** @enum {string} */
      state: 'enabled' | 'disabled';
      description: string;
      /**
       * @description When it makes a task, in words.
       * @example At 02:30, Monday through Friday
       */
      words: string;
      /** @description The next occurrences, or the next look into the queue. Empty while the trigger is disabled. */
      next: string[];
      /** @description The last task; null if there was none yet. */
      last: components['schemas']['TriggerFiring'] | null;
      /**
       * Format: uuid
       * @description With `queue`: the last item that it claimed; null if there was none yet.
       */
      lastItem: string | null;
      /** @description With `cron`: the occurrences that `missed` left out when it last did. With `event`: the events that it gave up last because it owed too many. Null if there were none. */
      skipped: components['schemas']['SkippedOccurrences'] | null;
      /** @description Null if the last occurrence made its task. */
      failure: components['schemas']['TriggerFailure'] | null;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    TriggerList: {
      items: components['schemas']['TriggerView'][];
      /** @description Null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    FireTriggerRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: uuid
       * @description The id of the task; generated if absent. Repeating a request with the same id has no further effect.
       */
      id?: string;
    };
    ReplayRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description Where the range begins: `beginning`, a time, how long ago (such as `24h`), or a position of the log, after which it begins.
       * @example 2026-11-23T03:12:00Z
       */
      from: string;
      /** @description Where it ends: before this time, or with this position; now if absent. */
      to?: string;
      /** @description `true`: also a range of more than 1,000,000 events. It is refused otherwise. */
      yes?: boolean;
      /** @description `true`: only count the events. */
      preview?: boolean;
    };
    StartedReplay: {
      /** @description How many events of the range match. Null if it has more than 1,000,000 events, which are not counted. */
      count: number | null;
      /**
       * @description The range begins after this position.
       * @example 4711
       */
      after: string;
      /**
       * @description The last position of the range.
       * @example 4711
       */
      upTo: string;
      /**
       * Format: uuid
       * @description The id of the replay, which is a task of the queue `waybill.past-events`; null for a preview. What it sends has it as `replay`.
       */
      id: string | null;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    FailureGroupSummary: {
      /** @example g3fa9c01d22b7e48 */
      id: string;
      /** @enum {string} */
      state: 'open' | 'resolved' | 'ignored';
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
      /** @description The newest message; null if it was erased. */
      message: string | null;
      /**
       * @description The newest message with `…` for the ids and numbers in which tasks of the group differ, as far as the 5 newest tell, and as of a moment for all; null as `message` is.
       * @example ETIMEDOUT: connect … (db-3) after … ms
       */
      title: string | null;
      /** @description How often a task failed like this, or had to wait for a decision. */
      failedTasks: number;
      /** @description How many tasks are failed with it now, or wait for a decision: 10000 stands for so many or more. Null as of a moment. */
      failedNow: number | null;
      /** @description How often an attempt failed like this, also if the task was retried by itself. */
      failedAttempts: number;
      /** Format: date-time */
      firstSeenAt: string;
      /** Format: date-time */
      lastSeenAt: string;
      /** @description The queues with such failures, by name. */
      queues: string[];
      /** @description How often it came back after it was resolved. */
      returns: number;
      /**
       * Format: uuid
       * @description The task that failed like this last.
       */
      lastTask: string;
    };
    FailureGroupList: {
      items: components['schemas']['FailureGroupSummary'][];
      /** @description Null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    SaidOfFailureGroup: {
      by: string;
      /** Format: date-time */
      at: string;
      reason: string | null;
    };
    RepairOfFailureGroup: {
      by: string;
      /** Format: date-time */
      at: string;
      reason: string | null;
      build: string | null;
      /**
       * Format: uuid
       * @description The id of an operation.
       */
      operation: string | null;
    };
    FailureGroupReturn: {
      /** Format: date-time */
      at: string;
      /** Format: uuid */
      task: string;
      queue: string;
    };
    FailureGroupHour: {
      /**
       * Format: date-time
       * @description When the hour began.
       */
      at: string;
      failedTasks: number;
      failedAttempts: number;
    };
    FailureExample: {
      /** Format: uuid */
      task: string;
      queue: string;
      kind: string;
    };
    FailureShare: {
      name: string;
      count: number;
    };
    PrecedingBuild: {
      queue: string;
      build: string;
      /** Format: date-time */
      at: string;
    };
    PrecedingPolicy: {
      queue: string;
      version: number;
      by: string;
      /** Format: date-time */
      at: string;
    };
    PrecedingOperation: {
      /** Format: uuid */
      id: string;
      /** @example retry */
      command: string;
      by: string;
      /** Format: date-time */
      at: string;
    };
    PrecedingChanges: {
      /** @description The build whose workers began last. */
      build: components['schemas']['PrecedingBuild'] | null;
      /** @description The version of a policy that was set last. */
      policy: components['schemas']['PrecedingPolicy'] | null;
      /** @description The operation for these queues, or for any, that was ordered last. */
      operation: components['schemas']['PrecedingOperation'] | null;
    };
    FailureGroupView: {
      /** @example g3fa9c01d22b7e48 */
      id: string;
      /** @enum {string} */
      state: 'open' | 'resolved' | 'ignored';
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
      /** @description The newest message; null if it was erased. */
      message: string | null;
      /**
       * @description The newest message with `…` for the ids and numbers in which tasks of the group differ, as far as the 5 newest tell, and as of a moment for all; null as `message` is.
       * @example ETIMEDOUT: connect … (db-3) after … ms
       */
      title: string | null;
      /** @description How often a task failed like this, or had to wait for a decision. */
      failedTasks: number;
      /** @description How many tasks are failed with it now, or wait for a decision: 10000 stands for so many or more. Null as of a moment. */
      failedNow: number | null;
      /** @description How often an attempt failed like this, also if the task was retried by itself. */
      failedAttempts: number;
      /** Format: date-time */
      firstSeenAt: string;
      /** Format: date-time */
      lastSeenAt: string;
      /** @description The queues with such failures, by name. */
      queues: string[];
      /** @description How often it came back after it was resolved. */
      returns: number;
      /**
       * Format: uuid
       * @description The task that failed like this last.
       */
      lastTask: string;
      /** @description Where the newest error was thrown, if its stack says so. */
      frame: string | null;
      /** @description Who resolved, ignored or reopened it last; null if nobody did, or it came back since. */
      said: components['schemas']['SaidOfFailureGroup'] | null;
      /** @description What repaired it last. */
      lastRepair: components['schemas']['RepairOfFailureGroup'] | null;
      /** @description When it came back last after it was resolved. */
      returned: components['schemas']['FailureGroupReturn'] | null;
      /** @description The last 168 hours in which it was seen, the newest first. They are kept for 90 days. */
      hours: components['schemas']['FailureGroupHour'][];
      /** @description The 5 newest tasks of which this was the last failure, the newest first. */
      examples: components['schemas']['FailureExample'][];
      /** @description The kinds of the newest 1,000 tasks of which this was the last failure. */
      kinds: components['schemas']['FailureShare'][];
      /** @description The 20 workers whose attempts failed like this most often. */
      workers: components['schemas']['FailureShare'][];
      /** @description How many such workers there are. */
      workerCount: number;
      /** @description The 20 newest builds that these workers ran between their first and their last such failure. */
      builds: string[];
      /** @description What changed last before it began, or came back. */
      preceded: components['schemas']['PrecedingChanges'];
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    ResolveFailureGroupRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description The build of the workers that repaired the cause. Attempts of builds that began before it may still fail like this.
       * @example b7f3
       */
      build?: string;
      /**
       * Format: uuid
       * @description The id of the operation that repaired the cause.
       */
      operation?: string;
    };
    HoldDefinition: {
      /**
       * @description A task that has all of these labels is caught.
       * @example {
       *       "collection": "7"
       *     }
       */
      labels: {
        [key: string]: string;
      };
      /** @example The rights are being cleared */
      reason?: string;
      /** @description `true`: it is a legal hold. Its tasks are given out as ever, but what they were about cannot be erased until it is lifted. */
      forbidsErasure?: boolean;
    };
    HoldView: {
      /** @example collection-7 */
      name: string;
      /** @enum {string} */
      state: 'placed' | 'lifted';
      labels: {
        [key: string]: string;
      };
      reason: string | null;
      placedBy: string;
      /** Format: date-time */
      placedAt: string;
      liftedBy: string | null;
      /** Format: date-time */
      liftedAt: string | null;
      /** @description How many tasks it caught that are still held, counted up to 10,000; null as of a moment. */
      holds: number | null;
      /** @description Whether it is a legal hold, which catches no task and forbids to erase what its tasks were about. */
      forbidsErasure: boolean;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    HoldList: {
      items: components['schemas']['HoldView'][];
      /** @description Null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    ResourceDefinition: {
      /** @example Where downloads are kept until they are stored */
      description?: string;
      /**
       * @description What the gauge counts, for people.
       * @example %
       */
      unit?: string | null;
      /** @description A measure that is older than this many seconds says nothing: the resource is short then. 60 by default. */
      staleAfterSeconds?: number;
      /** @example Downloads filled the disk */
      reason?: string;
    };
    ResourceNeed: {
      queue: string;
      step: string;
      /** @description The gauge must be below this. */
      below: number;
      met: boolean;
      /** @description How many tasks are ready and wait before the step, counted up to 10,000. */
      waiting: number;
    };
    ResourceView: {
      /** @example working-storage */
      name: string;
      description: string;
      unit: string | null;
      staleAfterSeconds: number;
      /**
       * @description `stale`: nobody has measured it for too long, or ever, so it is short of every limit. Null as of a moment.
       * @enum {string|null}
       */
      state: 'measured' | 'stale' | null;
      /** @description The last measure, however old. As of a moment: the last one that crossed a limit; null if that was too old, or none did. */
      value: number | null;
      /** Format: date-time */
      measuredAt: string | null;
      measuredBy: string | null;
      definedBy: string;
      /** Format: date-time */
      definedAt: string;
      /** @description The first 100 steps that need it. Empty as of a moment. */
      needs: components['schemas']['ResourceNeed'][];
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    ResourceList: {
      items: components['schemas']['ResourceView'][];
      /** @description Null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    Measure: {
      /**
       * @description What the gauge shows now.
       * @example 71.5
       */
      value: number;
    };
    MeasureResult: {
      resource: string;
      value: number;
      /** Format: date-time */
      measuredAt: string;
      /** @description The limits, of the steps that need the resource, that it is not below. */
      unmet: number[];
    };
    ViewDefinition: {
      /**
       * @description A search of tasks, as in the query of their list; every task matches if absent.
       * @example state:failed error:"timed out" since:2h
       */
      q?: string;
      /** @description `true`: only open tasks whose deadline has passed. */
      overdue?: boolean;
      /**
       * @description As in the query of a list of tasks.
       * @enum {string}
       */
      sort?: 'deadline' | 'newest';
      /** @example For the morning round */
      reason?: string;
    };
    SavedView: {
      /** @example failed-mail */
      name: string;
      /** @description A search of tasks; empty if every task matches. */
      q: string;
      /** @description Whether it has only open tasks whose deadline has passed. */
      overdue: boolean;
      /** @enum {string|null} */
      sort: 'deadline' | 'newest' | null;
      /** @description Who saved it last. */
      savedBy: string;
      /** Format: date-time */
      savedAt: string;
      revision: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
    };
    SavedViewList: {
      items: components['schemas']['SavedView'][];
    };
    ClaimRequest: {
      /** @example mailer-1 */
      worker: string;
      /** @description Defaults to the worker's name. */
      server?: string;
      /**
       * @description The version of the program that runs the tasks, for the history.
       * @example 2.4.1
       */
      build?: string;
      /**
       * @description The most tasks to claim; 1 if absent. 0: only says that the worker is there.
       * @example 10
       */
      max?: number;
      /** @description How many of its handlers go on although their tasks of this queue are lost or cancelled. The list of workers shows it for a minute. */
      stuck?: number;
      /**
       * @description Claims only tasks whose next step is one of these; all tasks if absent.
       * @example [
       *       "Recording"
       *     ]
       */
      steps?: string[];
      /** @description If absent, the queue's policy decides. */
      leaseMs?: number;
      /**
       * Format: uuid
       * @description For a day, a repetition of the claim with the same id returns those of its tasks that its worker still has, and never others.
       */
      claimId?: string;
      /** @description How long to wait for a task; 0 if absent. */
      waitMs?: number;
    };
    ClaimedTask: {
      /** Format: uuid */
      taskId: string;
      queue: string;
      kind: string;
      key: string | null;
      reference: string | null;
      priority: number;
      labels: {
        [key: string]: string;
      };
      description: string | null;
      /** Format: date-time */
      enqueuedAt: string;
      attempt: number;
      /** @description A secret that authorises reports on the task. Never log it. */
      token: string;
      /** Format: uuid */
      claimId: string;
      /**
       * Format: uuid
       * @description The id of the event that recorded the claim. Pass it as `context` of the tasks that this one submits.
       */
      claimEvent: string;
      leaseMs: number;
      /**
       * Format: date-time
       * @description Another worker may get the task after this time.
       */
      deadline: string;
      payload: unknown;
      /** @description The step to run; null for a task without steps. */
      step: string | null;
      lastSuccessfulStep: string | null;
      /** @description All steps of the task, in order; absent for a task without steps. */
      steps?: string[];
      /** @description If a trigger made the task as a job: the items that it claimed for the job and that are still leased. The worker settles each of them with its own token. Extending the lease of the job extends theirs. */
      items?: components['schemas']['ClaimedTask'][];
      /**
       * Format: uuid
       * @description The batch that the task plans: it adds the tasks of the batch and opens it.
       */
      plans?: string;
      /** @description What was recorded about the task before, by its workers and by operators. */
      data: {
        [key: string]: unknown;
      };
    };
    QueueConsumer: {
      worker: string;
      server: string;
      /** Format: uuid */
      taskId: string;
      /**
       * Format: date-time
       * @description When another worker may take the queue over, unless the consumer reports before.
       */
      until: string;
    };
    ClaimRefusal: {
      /**
       * @description The code to branch on.
       * @enum {string}
       */
      code: 'QUEUE_HELD' | 'QUEUE_CONFLICTED' | 'SERVER_FULL' | 'QUEUE_FULL' | 'LABEL_FULL' | 'HOLDER_FULL';
      detail: string;
      /** @description With `QUEUE_HELD`: the consumer of the serial queue. */
      consumer?: components['schemas']['QueueConsumer'];
      /** @description The number of running tasks; with `QUEUE_CONFLICTED`, the running tasks. */
      running?: number | components['schemas']['TaskInHand'][];
    };
    ClaimResult: {
      /** @description Empty if no task became available in time. */
      tasks: components['schemas']['ClaimedTask'][];
      /**
       * @description The position of the latest claim; null if there are no tasks.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      /** @description Why there are no tasks, if a limit of the queue or of the caller's API key is the reason. */
      refusal?: components['schemas']['ClaimRefusal'];
    };
    TaskStart: {
      /**
       * @description The kind of task; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description Only one task per key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description Higher priorities run first, then older tasks.
       * @example 0
       */
      priority?: number;
      /**
       * @example {
       *       "customer": "acme"
       *     }
       */
      labels?: {
        [key: string]: string;
      };
      description?: string;
      /**
       * @example {
       *       "to": "ann@example.com"
       *     }
       */
      payload?: unknown;
      /** @description The SHA-256 of the payload's canonical JSON (RFC 8785), in lower-case hex. A payload that has another is refused (`PAYLOAD_DIGEST_MISMATCH`). */
      payloadSha256?: string;
      /**
       * Format: uuid
       * @description Generated if absent. Repeating a submission with the same id has no further effect.
       */
      id?: string;
      /**
       * @description Your own name for the task.
       * @example order-4711
       */
      reference?: string;
      /**
       * Format: date-time
       * @description When the task should be done. It is told if it is not (`TaskDeadlineMissed`), and otherwise goes on.
       */
      deadlineAt?: string;
      /**
       * Format: uuid
       * @description The id of the event within whose work the task is submitted, such as a claim's `claimEvent`.
       */
      context?: string;
      /**
       * @description The id of the entry in your application's own audit log to which the task belongs. Waybill keeps and shows it, and does nothing else with it.
       * @example audit-4711
       */
      auditContext?: string;
      /**
       * @description Data of the task from the beginning, up to 64 KiB, beside its payload: workers and operators change it field by field.
       * @example {
       *       "ingest": 4711
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
      /** @example mail */
      queue: string;
      /**
       * @description Gets the task.
       * @example console-1
       */
      worker: string;
      /** @description Defaults to the worker's name. */
      server?: string;
      /**
       * @description The version of the program that runs the tasks, for the history.
       * @example 2.4.1
       */
      build?: string;
      /** @description If absent, the queue's policy decides. */
      leaseMs?: number;
    };
    StartedTask: {
      task: components['schemas']['ClaimedTask'];
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    TaskLogLine: {
      /** @description From 1 in each attempt: a line that is sent twice is kept once. */
      number: number;
      /**
       * Format: date-time
       * @description By the clock of the worker.
       * @example 2026-11-28T14:05:00.000Z
       */
      at: string;
      /** @enum {string} */
      level: 'debug' | 'info' | 'warn' | 'error';
      /**
       * @description NUL and halves of surrogate pairs are replaced by U+FFFD here, and in the fields.
       * @example Charged the card
       */
      text: string;
      /**
       * @description What belongs to the line; at most 4 KiB.
       * @example {
       *       "order": 7
       *     }
       */
      fields?: {
        [key: string]: unknown;
      };
    };
    SingleHeartbeat: {
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
      /** @description Every progress bar of the task. They replace those reported before; if absent, those stay. */
      progress?: components['schemas']['ProgressBar'][];
      /** @description What the handler said since the last heartbeat that was answered. The last 1000 lines of a task are kept, for 14 days. */
      log?: components['schemas']['TaskLogLine'][];
    };
    ExtendedLease: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      kind: 'extended';
      /** Format: date-time */
      deadline: string;
      /** @description The worker must stop and confirm the cancellation. */
      cancelRequested: boolean;
    };
    Heartbeat: {
      /** Format: uuid */
      taskId: string;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
      /** @description Every progress bar of the task. They replace those reported before; if absent, those stay. */
      progress?: components['schemas']['ProgressBar'][];
      /** @description What the handler said since the last heartbeat that was answered. The last 1000 lines of a task are kept, for 14 days. */
      log?: components['schemas']['TaskLogLine'][];
    };
    ExtendMany: {
      items: components['schemas']['Heartbeat'][];
    };
    LostLease: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      kind: 'lost';
    };
    ExtendManyResult: {
      /** @description One result per item, in order. */
      results: (components['schemas']['ExtendedLease'] | components['schemas']['LostLease'])[];
    };
    LeaseRef: {
      /** Format: uuid */
      taskId: string;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    CheckBatch: {
      items: components['schemas']['LeaseRef'][];
    };
    StandingLease: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      kind: 'standing';
      /** Format: date-time */
      deadline: string;
      /** @description The worker must stop and confirm the cancellation. */
      cancelRequested: boolean;
    };
    CheckManyResult: {
      /** @description One result per item, in order. */
      results: (components['schemas']['StandingLease'] | components['schemas']['LostLease'])[];
    };
    Success: {
      /**
       * @example {
       *       "messageId": "17"
       *     }
       */
      result?: unknown;
      /** @description There was nothing to do. */
      noChange?: boolean;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    Settlement: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      revision: number;
      /** @description false: the command was already done, and nothing was recorded. */
      recorded: boolean;
      /**
       * @description The resulting state of the task.
       * @enum {string}
       */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description With a completed step, if the claim continues: the step that it continues with. */
      step?: string;
      /** @description With a completed step, if the claim continues: the last step that succeeded. */
      lastSuccessfulStep?: string | null;
    };
    ErrorReport: {
      /**
       * @description NUL and halves of surrogate pairs are replaced by U+FFFD here, in the details and in the stack.
       * @example The mailbox is full
       */
      message: string;
      /**
       * @description If absent, 'application', or what the policy field `errorClasses: 'guessed'` makes of the rest.
       * @enum {string}
       */
      class?: 'business' | 'application' | 'transient' | 'bug';
      /** @description A `stack` that is text is cut at 8 KiB. The policy field `errorStacks: false` drops it. */
      details?: unknown;
    };
    Failure: {
      error: components['schemas']['ErrorReport'];
      /** @description The task is never retried, whatever the policy says. */
      final?: boolean;
      /** @description The delay that the worker asks for before an automatic retry. */
      retryAfterMs?: number;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    StepCompletion: {
      /** @example render */
      step: string;
      /**
       * @description Continue with the next step, or let any worker claim it.
       * @enum {string}
       */
      then: 'continue' | 'offer';
      result?: unknown;
      /**
       * @description Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.
       * @example {
       *       "spaceNeeded": 4711
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
      /** @description The task's new priority, if the queue's policy lets workers change it (`workersPrioritise`). */
      priority?: number;
      /** @description false: the last successful step stays as it is. */
      mark?: boolean;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    DataRecord: {
      /**
       * @description Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.
       * @example {
       *       "spaceNeeded": 4711
       *     }
       */
      data: {
        [key: string]: unknown;
      };
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    ReportedError: {
      error: components['schemas']['ErrorReport'];
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    Return: {
      /** @description How long the task waits at least before it can be claimed again. */
      afterMs?: number;
      /** @description true: the worker did not begin the task, which keeps its place in line. Otherwise it goes to the end. */
      unstarted?: boolean;
      /** @description true: the worker does not know tasks of this kind. Once all workers of a queue have said so, its tasks of this kind count as `unattended`. */
      unknownKind?: boolean;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    LeaseProof: {
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    OwnCancellation: {
      /** @example the server restarts */
      reason?: string;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
    };
    SucceedVerdict: {
      /**
       * @example {
       *       "messageId": "17"
       *     }
       */
      result?: unknown;
      /** @description There was nothing to do. */
      noChange?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'succeed';
    };
    FailVerdict: {
      error: components['schemas']['ErrorReport'];
      /** @description The task is never retried, whatever the policy says. */
      final?: boolean;
      /** @description The delay that the worker asks for before an automatic retry. */
      retryAfterMs?: number;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'fail';
    };
    CompleteStepVerdict: {
      /** @example render */
      step: string;
      /**
       * @description Continue with the next step, or let any worker claim it.
       * @enum {string}
       */
      then: 'continue' | 'offer';
      result?: unknown;
      /**
       * @description Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.
       * @example {
       *       "spaceNeeded": 4711
       *     }
       */
      data?: {
        [key: string]: unknown;
      };
      /** @description The task's new priority, if the queue's policy lets workers change it (`workersPrioritise`). */
      priority?: number;
      /** @description false: the last successful step stays as it is. */
      mark?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'completeStep';
    };
    RecordVerdict: {
      /**
       * @description Changes of the data of the task. A member takes the place of the one of the same name, and null removes it. All of them together have at most 64 KiB.
       * @example {
       *       "spaceNeeded": 4711
       *     }
       */
      data: {
        [key: string]: unknown;
      };
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'record';
    };
    ReportErrorVerdict: {
      error: components['schemas']['ErrorReport'];
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'reportError';
    };
    ReturnVerdict: {
      /** @description How long the task waits at least before it can be claimed again. */
      afterMs?: number;
      /** @description true: the worker did not begin the task, which keeps its place in line. Otherwise it goes to the end. */
      unstarted?: boolean;
      /** @description true: the worker does not know tasks of this kind. Once all workers of a queue have said so, its tasks of this kind count as `unattended`. */
      unknownKind?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'return';
    };
    ConfirmCancelVerdict: {
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'confirmCancel';
    };
    CancelVerdict: {
      /** @example the server restarts */
      reason?: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'cancel';
    };
    SettleItem: {
      /** Format: uuid */
      taskId: string;
      /** @description The token from the claim: `<fencing token>.<secret>`. */
      token: string;
      verdict:
        | components['schemas']['SucceedVerdict']
        | components['schemas']['FailVerdict']
        | components['schemas']['CompleteStepVerdict']
        | components['schemas']['RecordVerdict']
        | components['schemas']['ReportErrorVerdict']
        | components['schemas']['ReturnVerdict']
        | components['schemas']['ConfirmCancelVerdict']
        | components['schemas']['CancelVerdict'];
    };
    SettleMany: {
      items: components['schemas']['SettleItem'][];
    };
    SettleManyResult: {
      /** @description One result per item, in order. */
      results: (components['schemas']['Settlement'] | components['schemas']['RefusedItem'])[];
      /**
       * @description The highest position of the results; null if every item was refused.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    TurnRequest: {
      /** @example mailer-1 */
      worker: string;
      /** @description Defaults to the worker's name. */
      server?: string;
      /**
       * @description The version of the program that runs the tasks, for the history.
       * @example 2.4.1
       */
      build?: string;
      /**
       * @description The most tasks to claim; 1 if absent. 0: only says that the worker is there.
       * @example 10
       */
      max?: number;
      /** @description How many of its handlers go on although their tasks of this queue are lost or cancelled. The list of workers shows it for a minute. */
      stuck?: number;
      /**
       * @description Claims only tasks whose next step is one of these; all tasks if absent.
       * @example [
       *       "Recording"
       *     ]
       */
      steps?: string[];
      /** @description If absent, the queue's policy decides. */
      leaseMs?: number;
      /**
       * Format: uuid
       * @description For a day, a repetition of the claim with the same id returns those of its tasks that its worker still has, and never others.
       */
      claimId?: string;
      /** @description What to settle, of any queue. */
      items: components['schemas']['SettleItem'][];
    };
    TurnResult: {
      /** @description Empty if no task became available in time. */
      tasks: components['schemas']['ClaimedTask'][];
      /**
       * @description The highest position of the results and of the claim; null if there is none.
       * @example 4711
       */
      position: string | null;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
      /** @description Why there are no tasks, if a limit of the queue or of the caller's API key is the reason. */
      refusal?: components['schemas']['ClaimRefusal'];
      /** @description One result per item, in order. */
      results: (components['schemas']['Settlement'] | components['schemas']['RefusedItem'])[];
      /** @description Why the claim failed, as a claim alone would have been answered. The results stand. */
      problem?: components['schemas']['Problem'];
    };
    EventPage: {
      /** @description The oldest event first. */
      items: components['schemas']['EventView'][];
      /** @description null on the last page. */
      nextCursor: string | null;
      /** @description The position that all pages are of. */
      asOf: components['schemas']['AsOf'];
    };
    ActivityItem: {
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** Format: date-time */
      at: string;
      /** @example ann */
      by: string;
      /** @description The program or assistant that acted on the actor's behalf, as it said. */
      agent?: string;
      reason: string | null;
      /**
       * @description What kind of thing it was done to.
       * @enum {string}
       */
      category:
        | 'task'
        | 'queue'
        | 'consumer'
        | 'trigger'
        | 'hold'
        | 'resource'
        | 'system'
        | 'batch'
        | 'attendance'
        | 'build'
        | 'failure'
        | 'notary'
        | 'view';
      /**
       * @description The event that the command caused.
       * @example QueuePaused
       * @enum {string}
       */
      type:
        | 'TaskPrepared'
        | 'TaskEnqueued'
        | 'TaskEnqueueRejected'
        | 'TaskSubmitted'
        | 'TaskHeld'
        | 'TaskReleased'
        | 'TaskClaimed'
        | 'TaskStepCompleted'
        | 'TaskDataRecorded'
        | 'TaskErrorReported'
        | 'TaskAttemptFailed'
        | 'TaskRetryScheduled'
        | 'TaskDecisionRequested'
        | 'TaskFailed'
        | 'TaskRetried'
        | 'TaskSucceeded'
        | 'TaskLeaseExpired'
        | 'TaskLateReportRefused'
        | 'TaskReturned'
        | 'TaskCancelRequested'
        | 'TaskCancelled'
        | 'TaskCancelConfirmed'
        | 'TaskAborted'
        | 'TaskSuperseded'
        | 'TaskReprioritised'
        | 'TaskRescheduled'
        | 'TaskDeadlineMissed'
        | 'TaskPayloadAmended'
        | 'TaskPrerequisitesChanged'
        | 'TaskDeleted'
        | 'TaskOverruled'
        | 'TaskRestored'
        | 'TaskErased'
        | 'TaskReservationAbandoned'
        | 'QueueDefined'
        | 'QueuePolicyChanged'
        | 'QueuePaused'
        | 'QueueResumed'
        | 'QueueIntakeClosed'
        | 'QueueIntakeOpened'
        | 'QueueFinished'
        | 'QueueReopened'
        | 'QueueWaiting'
        | 'QueueActivated'
        | 'QueueDeleted'
        | 'QueueReservationAbandoned'
        | 'QueueTaken'
        | 'QueueTakenOver'
        | 'QueueAnomalyFound'
        | 'QueueLateReportRefused'
        | 'TriggerDefined'
        | 'TriggerChanged'
        | 'TriggerEnabled'
        | 'TriggerDisabled'
        | 'TriggerDeleted'
        | 'TriggerFired'
        | 'TriggerSkipped'
        | 'TriggerFailed'
        | 'TriggerGaveUp'
        | 'HoldPlaced'
        | 'HoldLifted'
        | 'ResourceDefined'
        | 'ResourceShort'
        | 'ResourceFree'
        | 'ResourceDeleted'
        | 'SystemDrained'
        | 'SystemQuiesced'
        | 'SystemResumed'
        | 'BatchCreated'
        | 'BatchOpened'
        | 'BatchCompleted'
        | 'BatchFailed'
        | 'BatchPlanFailed'
        | 'BatchReportRequested'
        | 'BatchReported'
        | 'BatchTaskReported'
        | 'BatchRerun'
        | 'BatchAborted'
        | 'BatchErased'
        | 'BatchDeleted'
        | 'BatchReservationAbandoned'
        | 'QueueUnattended'
        | 'QueueAttended'
        | 'BuildBegan'
        | 'FailureGroupResolved'
        | 'FailureGroupIgnored'
        | 'FailureGroupReopened'
        | 'FailureGroupReturned'
        | 'LogLossAccepted'
        | 'NotaryKeyRetired'
        | 'ViewSaved'
        | 'ViewDeleted';
      /**
       * @description The name or the id of what it was done to.
       * @example mail
       */
      subject: string;
      /** @description The queue, if it was done to one or to a task of one. */
      queue: string | null;
      /** @description What the same request or operation caused has the same id. */
      correlationId: string;
      /** @description The version of the queue's policy that it was decided by. */
      policyVersion?: number;
      /** @description How many neighbouring events of this type the same request or operation caused, such as the tasks that were retried together. The item shows the first of them in the order of the list. */
      count: number;
    };
    ActivityPage: {
      items: components['schemas']['ActivityItem'][];
      /** @description null on the last page. A page looks through a bounded part of the log, so one may be empty and others follow. */
      nextCursor: string | null;
    };
    ComparedTask: {
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description The step that it was in; null without one. */
      step: string | null;
      /**
       * @description The class of its last error; null without one.
       * @enum {string|null}
       */
      errorClass: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired' | null;
      priority: number;
    };
    TaskChange: {
      /** Format: uuid */
      task: string;
      queue: string;
      kind: string;
      reference: string | null;
      /** Format: uuid */
      batch: string | null;
      /** @description What it was at the first moment; null if it was not there. */
      from: components['schemas']['ComparedTask'] | null;
      /** @description What it was at the second moment. */
      to: components['schemas']['ComparedTask'];
      /**
       * Format: date-time
       * @description When its last event before the second moment was recorded.
       */
      at: string;
    };
    ChangesPage: {
      /** @description The first moment. By its position, the same changes can be asked for again. */
      since: components['schemas']['AsOf'];
      /** @description The second moment. As the `since` of the next question, it leaves no gap. */
      until: components['schemas']['AsOf'];
      /** @description How many tasks are left out because they are outside of the queues of the API key. */
      hidden: number;
      /** @description In the order in which they began to change. */
      items: components['schemas']['TaskChange'][];
      /** @description Null on the last page. A page looks through a bounded part of the log, so one may be empty and others follow. */
      nextCursor: string | null;
    };
    MovedTasks: {
      queue: string;
      /**
       * @description Null: they were not there at the first moment.
       * @enum {string|null}
       */
      from:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
        | null;
      /** @enum {string} */
      to:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      tasks: number;
    };
    StateAtBoth: {
      /** @enum {string} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted';
      /** @description The tasks of the queue that were in it at the first moment. */
      before: number;
      /** @description And at the second one. */
      after: number;
    };
    ChangesSum: {
      /** @description The first moment. By its position, the same changes can be asked for again. */
      since: components['schemas']['AsOf'];
      /** @description The second moment. As the `since` of the next question, it leaves no gap. */
      until: components['schemas']['AsOf'];
      /** @description How many tasks are left out because they are outside of the queues of the API key. */
      hidden: number;
      /** @description How many tasks went from one state to another, the most first. Null if more than 1,000,000 events lie between the moments. */
      moves: components['schemas']['MovedTasks'][] | null;
      /** @description With `queue`: how many of its tasks were in each state. Null otherwise. */
      states: components['schemas']['StateAtBoth'][] | null;
    };
    ChangedThing: {
      /**
       * @example trigger
       * @enum {string}
       */
      category:
        | 'task'
        | 'queue'
        | 'consumer'
        | 'trigger'
        | 'hold'
        | 'resource'
        | 'system'
        | 'batch'
        | 'attendance'
        | 'build'
        | 'failure'
        | 'notary'
        | 'view';
      /**
       * @description Its name; that of a batch is its id.
       * @example nightly
       */
      name: string;
    };
    ChangeNotice: {
      /**
       * @description What changed up to this position of the log.
       * @example 4711
       */
      position: string;
      /** @enum {string} */
      type: 'Changed';
      /** @description Whether anything may have changed: the stream began too far back, or the log is faster than it. */
      everything: boolean;
      /**
       * @description The queues of which something changed: also of their tasks. Null: more than 50.
       * @example [
       *       "mail"
       *     ]
       */
      queues: string[] | null;
      /** @description The tasks that changed, those of the service included, such as operations. Null: more than 50. */
      tasks: string[] | null;
      /** @description What else changed. Null: more than 50. */
      others: components['schemas']['ChangedThing'][] | null;
    };
    DrainView: {
      /** @enum {string} */
      intake: 'open' | 'closed';
      /** @enum {string} */
      running: 'finish' | 'cancel';
      reason: string | null;
      by: string;
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description Since when nothing runs any more; null while tasks still run.
       */
      quiescedAt: string | null;
    };
    QuarantinedTask: {
      /** Format: uuid */
      taskId: string;
      /** @description Null if its first event cannot be read. */
      queue: string | null;
      /** @enum {string|null} */
      state:
        | 'prepared'
        | 'pending'
        | 'held'
        | 'running'
        | 'undecided'
        | 'failed'
        | 'succeeded'
        | 'cancelled'
        | 'aborted'
        | 'superseded'
        | 'deleted'
        | null;
      /**
       * @description The position of the event that cannot be read, as far as it is known.
       * @example 4711
       */
      position: string | null;
      /** @description Why it cannot be read. */
      reason: string;
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description When it is read again; null if that is when a service starts.
       */
      until: string | null;
    };
    FailingTarget: {
      /** @description `mail` for the mail server, or the host of webhooks. */
      target: string;
      /** @description How many failures there were in a row. */
      failures: number;
      /** @description The last one. */
      error: string;
      /** Format: date-time */
      failedAt: string;
      /**
       * Format: date-time
       * @description When it is tried again.
       */
      until: string;
    };
    EventPutAside: {
      /** @description The reaction, `event-triggers`, or `dispatch-index` for an event of the trigger itself that it cannot read. */
      reaction: string;
      /** @description The trigger that waits for the event; its later events wait, too. */
      trigger: string | null;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description What failed last. */
      reason: string;
      /** @description How often it was tried. */
      tries: number;
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description When it is tried again; null if that is when a service starts.
       */
      until: string | null;
    };
    LeaderView: {
      /** @description What only one process does at a time. */
      role: string;
      /** @description The machine and the number of the process. */
      process: string;
      /**
       * @description `vacant`: its term is over, and no other process has taken over.
       * @enum {string}
       */
      state: 'leading' | 'vacant';
      /** Format: date-time */
      since: string;
      /**
       * Format: date-time
       * @description When another process may take over, unless the term is renewed.
       */
      until: string;
      /**
       * Format: date-time
       * @description When any process finished a round of this work, to a few seconds. Null for followers, which have positions.
       */
      workedAt: string | null;
      /**
       * @description How long ago that was.
       * @example 1.25
       */
      workedSeconds: number | null;
    };
    SystemView: {
      /** @enum {string} */
      state: 'running' | 'draining';
      /** @description Null unless the system drains. */
      drain: components['schemas']['DrainView'] | null;
      /** @description How many tasks run, also of the service's own queues (`waybill.*`). While the system drains, 0 means that nothing does any more. */
      running: number;
      /** @description How many of them are in the service's own queues (`waybill.*`). */
      runningInternal?: number;
      /** @description How many tasks are stopped: cancelled by a shutdown, and not retried since. */
      stopped: number;
      /** @description How many of them are in the service's own queues (`waybill.*`). */
      stoppedInternal?: number;
      /** @description How many stopped tasks could not be resumed yet, because another task has the waiting place of their key. */
      notResumed: number;
      /** @description How many tasks are put aside because this build cannot read their histories. */
      quarantined: number;
      /** @description The first 100 of them. */
      quarantinedTasks: components['schemas']['QuarantinedTask'][];
      /** @description How many leases, triggers, queues and others the sweeper could not deal with. The log names them. */
      failingItems: number;
      /** @description How many rows of the outbox were refused. They stay in `waybill_outbox` with their `refusal` until somebody deals with them. */
      refusedOutboxRows: number;
      /** @description How many rows of the index contradicted the log or each other, and were mended. The log names them. */
      mendedRows: number;
      /** @description How often the log in EventStoreDB skipped events of a stream, which were then read from the stream and applied. The log names them. */
      skippedEvents: number;
      /** @description How often the log in EventStoreDB sent an event again, which was left out. */
      doubledEvents: number;
      /** @description How many triggers failed when they were to fire last. Each says why. */
      failingTriggers: number;
      /** @description How many occurrences triggers left out since they were defined, as their `missed` says. */
      skippedOccurrences: number;
      /** @description How many mail servers and hosts of webhooks failed at least three times in a row. They are tried seldom. */
      failingTargets: number;
      /** @description Those 20 of them that failed last. */
      firstFailingTargets: components['schemas']['FailingTarget'][];
      /** @description How many events reactions and triggers of events could not deal with and try again, or hold behind such a one. */
      eventsPutAside: number;
      /** @description The first 20 that are tried again. */
      firstEventsPutAside: components['schemas']['EventPutAside'][];
      /**
       * @description How long ago any process swept last: ended overdue leases, fired triggers, and more. Null if none ever did. The service is not ready when it is more than 30.
       * @example 1.25
       */
      lastSweepSeconds: number | null;
      /** @description Which process leads each role, by name of the role. */
      leaders: components['schemas']['LeaderView'][];
      /** @description The version of the EventStoreDB or KurrentDB that stores the events, as its server named it when this process started. `unknown` if it named none, and null if Postgres stores them. */
      eventStoreVersion: string | null;
    };
    DrainState: {
      /** @enum {string} */
      state: 'running' | 'draining';
      /** @description Null unless the system drains. */
      drain: components['schemas']['DrainView'] | null;
      /** @description Present if the answer is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    DrainRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description `closed`, the default, refuses new tasks (`DRAINING`).
       * @enum {string}
       */
      intake?: 'open' | 'closed';
      /**
       * @description `cancel` asks all running tasks to stop; they can be resumed. `finish`, the default, lets them end.
       * @enum {string}
       */
      running?: 'finish' | 'cancel';
    };
    ResumeRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @description false: leave the stopped tasks as they are. A later resume retries them. */
      stopped?: boolean;
    };
    QueueStats: {
      /** @example mail */
      queue: string;
      /** @description It is one of the service's own queues (`waybill.*`). */
      internal: boolean;
      counts: {
        prepared?: number;
        pending?: number;
        held?: number;
        running?: number;
        undecided?: number;
        failed?: number;
        succeeded?: number;
        cancelled?: number;
        aborted?: number;
        superseded?: number;
        deleted?: number;
      };
      failuresByClass: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
        lost?: number;
        timeout?: number;
        expired?: number;
      };
      waitingMs: components['schemas']['DurationStats'];
      runningMs: components['schemas']['DurationStats'];
      /** @description How long the longest-waiting ready task has been ready; null if none is, and as of a moment. */
      oldestWaitingMs: number | null;
      /** @description How long the longest running attempt has run; null if none runs, and in lists as of a moment. */
      longestRunMs: number | null;
      /** @description Open tasks whose deadline has passed. Null in lists as of a moment, and nowhere else. */
      overdue: number | null;
      /** @description Tasks that were not done at their deadline. */
      deadlinesMissed: number;
      /** @description Lost attempts for which no heartbeat came since the claim: the worker ended before its first one, or never got the task. `failuresByClass.lost` counts them too. */
      unheardLosses: number;
      /**
       * Format: date-time
       * @description When a worker last claimed from the queue, accurate to a few seconds; null if none has for a day.
       */
      lastPolledAt: string | null;
      /** @description Tasks wait that nobody serves: for a minute no worker has claimed tasks at their step or worked on tasks of the queue, or all have given their kind back as unknown. */
      unattended: boolean;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      asOfPosition: string;
    };
    QueueStatsList: {
      items: components['schemas']['QueueStats'][];
      /** @description Pass it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    WorkerView: {
      /** @example mailer-1 */
      name: string;
      /** @example host-7 */
      server: string;
      /**
       * @description The build that it named last with a claim; null if it has named none.
       * @example b7f3
       */
      build: string | null;
      /**
       * @description `alive`: the worker has claimed in the last minute, or has a lease that has not expired.
       * @enum {string}
       */
      state: 'alive' | 'gone';
      queues: string[];
      /** Format: date-time */
      firstSeenAt: string;
      /** Format: date-time */
      lastSeenAt: string;
      /** @description How many of its handlers go on although their tasks are lost or cancelled. */
      stuck: number;
      running: number;
      claimed: number;
      succeeded: number;
      failed: number;
      lost: number;
      returned: number;
    };
    WorkerList: {
      items: components['schemas']['WorkerView'][];
      /** @description Pass it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
      /** @description Present if the list is as of a moment. */
      asOf?: components['schemas']['AsOf'];
    };
    ProjectionView: {
      /** @example queue-stats */
      name: string;
      version: number;
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description The position of the latest event in the log.
       * @example 4711
       */
      head: string;
      /** @description The number of events between both; null with EventStoreDB, whose positions do not count events. */
      lagEvents: number | null;
      /**
       * @description The age of the oldest event that the follower has not applied; 0 if it has applied all.
       * @example 0.012
       */
      lagSeconds: number;
      /** @enum {string} */
      status: 'running' | 'stopped';
      /** @description Why the follower stopped. */
      error: string | null;
      /**
       * @description The event at which the follower stopped.
       * @example 4711
       */
      stoppedAt: string | null;
    };
    ProjectionList: {
      items: components['schemas']['ProjectionView'][];
    };
    RebuildRequest: {
      /**
       * @description The reason, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description `diff` tells which rows differ from the log, and changes nothing. `switch` takes the rebuilt rows into use, and keeps those that were in use for a day. `back` takes these again.
       * @enum {string}
       */
      mode: 'diff' | 'switch' | 'back';
    };
    SealingStopped: {
      /** Format: date-time */
      since: string;
      reason: string;
    };
    LostLog: {
      /** @description The number of leaves that were sealed last. */
      size: number;
      /** @description What was signed last, as a signed checkpoint (c2sp.org/tlog-checkpoint). */
      note: string;
    };
    LogBefore: {
      /**
       * @description `loss`: it does not go on from what was sealed. `newKey`: its key was retired.
       * @enum {string}
       */
      why: 'loss' | 'newKey';
      /**
       * @description That of the event that says so, `LogLossAccepted` or `NotaryKeyRetired`.
       * @example 4711
       */
      position: string;
      /** Format: date-time */
      at: string;
      /** @description Who accepted the loss, or retired the key. */
      by: string;
      reason: string | null;
      /** @description The name of the log. */
      name: string;
      /** @description The number of leaves that were sealed last. */
      size: number;
      /** @description What was signed last of it. */
      note: string;
    };
    SealView: {
      /** @description The number of leaves: of segments of events in Postgres, of events in EventStoreDB. */
      size: number;
      /**
       * @description That of the last event that it covers.
       * @example 4711
       */
      position: string;
      /** @description The root of the tree, in Base64. */
      root: string;
      /** Format: date-time */
      madeAt: string;
      /** @description The names of the witnesses whose cosignatures it carries. */
      witnesses: string[];
      /** @description The seal itself, as a signed checkpoint (c2sp.org/tlog-checkpoint). Keep it: `waybill verify` takes it. */
      note: string;
    };
    LogView: {
      /**
       * @description `unsealed`: nobody has sealed it yet. `stopped`: the notary signs nothing.
       * @enum {string}
       */
      state: 'unsealed' | 'sealing' | 'stopped';
      /** @description Null before there is a key. */
      name: string | null;
      /** @description The public key, as verifiers take it. Compare it with the one that you kept: whoever verifies with a key that the service names believes the service. */
      key: string | null;
      /** @description Null unless the notary signs nothing. */
      stopped: components['schemas']['SealingStopped'] | null;
      /** @description What was signed last, if the log does not go on from it. `POST /v1/log/losses` accepts that. Otherwise null. */
      lost: components['schemas']['LostLog'] | null;
      /** @description The log that was sealed before this one, if somebody accepted a loss or retired the key; the last one of them. */
      before: components['schemas']['LogBefore'] | null;
      /** @description The number of leaves in the tree, which the next seal covers. */
      size: number;
      /**
       * @description That of the last event in the tree; 0 if there is none.
       * @example 4711
       */
      position: string;
      /** @description The last one; null before there is one. */
      seal: components['schemas']['SealView'] | null;
      /** @description The age of the oldest event that no seal covers; 0 if there is none. Null before the first seal. */
      lagSeconds: number | null;
      /** @description How far the notary has made the digests of all events anew from their texts. It begins again once a day. Null before the first time. */
      audited: components['schemas']['LogAudited'] | null;
      /** @description How often a witness has refused a seal. */
      witnessRefusals: number;
    };
    SealPage: {
      items: components['schemas']['SealView'][];
      /** @description null on the last page. */
      nextCursor: string | null;
    };
    LossRequest: {
      /** @description The number of leaves that were sealed last, as `lost` of `GET /v1/log` says it. */
      size: number;
      /**
       * @description The reason, which stays in the log.
       * @example The disk failed, and the backup of Monday was restored
       */
      reason: string;
    };
    LogEnd: {
      /**
       * @description `loss`: it does not go on from what was sealed. `newKey`: its key was retired.
       * @enum {string}
       */
      why: 'loss' | 'newKey';
      /**
       * @description That of the event that says so, `LogLossAccepted` or `NotaryKeyRetired`.
       * @example 4711
       */
      position: string;
      /** Format: date-time */
      at: string;
      /** @description Who accepted the loss, or retired the key. */
      by: string;
      reason: string | null;
      /** @description The number of leaves that were sealed last. Null before the notary has carried out the order. */
      size: number | null;
      /** @description What was signed last. After a new key, its line `next` has the key that comes next. Null before the notary has carried out the order. */
      note: string | null;
    };
    LogKeyView: {
      /** @description The name of the log that the key signs. */
      name: string;
      /** @description The public key, as verifiers take it. Null after a loss: the folder of the notary keeps it. */
      key: string | null;
      /** @description Null while the log is sealed under this name. */
      end: components['schemas']['LogEnd'] | null;
    };
    LogKeyList: {
      /** @description The first one first. */
      items: components['schemas']['LogKeyView'][];
    };
    NewKeyRequest: {
      /**
       * @description The name of the log whose key to retire, as `name` of `GET /v1/log` says it.
       * @example waybill/7c9e6679-7425-40de-944b-e07fc1f90ae7
       */
      log: string;
      /**
       * @description The reason, which stays in the log.
       * @example A copy of key.pem was found on another machine
       */
      reason: string;
    };
    LogPart: {
      /**
       * @description `LeftOut`: leaves whose segments were not asked for.
       * @enum {string}
       */
      type: 'Segment' | 'LeftOut';
      /**
       * @description That of the last event of the part.
       * @example 4711
       */
      position: string;
      /** @description Of a segment: the line that stands for it in the tree of the log. */
      leaf?: string;
      /** @description Of a segment: its text, whose SHA-256 is in the leaf. */
      text?: string;
      /** @description Of a segment: empty unless asked for. */
      private?: components['schemas']['PrivateHalf'][];
      /** @description How many are left out. */
      leaves?: number;
      /** @description In Base64: the roots of the largest complete subtrees that the leaves that are left out consist of, from left to right. */
      hashes?: string[];
    };
    QuotaView: {
      /** @description How many requests a minute each process accepts. */
      requestsPerMinute?: number;
      /** @description How many bytes of request bodies a minute each process accepts. */
      bytesPerMinute?: number;
      /** @description How many tasks it may submit a minute, in each process. */
      tasksPerMinute?: number;
      /** @description How many recipients of mail and webhooks it may order a minute, in each process. */
      recipientsPerMinute?: number;
      /** @description How many tasks may run at once. */
      runningTasks?: number;
    };
    ApiKeyView: {
      /** @description The first digits of its hash, to tell keys of the same name apart. */
      id: string;
      /** @example shop */
      name: string;
      /**
       * @example [
       *       "enqueue:mail"
       *     ]
       */
      may: string[];
      /** Format: date-time */
      expiresAt: string | null;
      quota: components['schemas']['QuotaView'] | null;
      /**
       * Format: date-time
       * @description When a request last came with it, up to a few seconds late; null: never.
       */
      lastUsedAt: string | null;
    };
    ApiKeyList: {
      /** @description Empty if the service requires no API keys. */
      items: components['schemas']['ApiKeyView'][];
    };
    OwnKeyView: {
      /** @description The first digits of its hash, to tell keys of the same name apart. */
      id: string;
      /** @example shop */
      name: string;
      /**
       * Format: date-time
       * @description Null: never.
       */
      expiresAt: string | null;
      quota: components['schemas']['QuotaView'] | null;
    };
    MeView: {
      /**
       * @description Under which name the history records what this caller does.
       * @example shop:ann
       */
      actor: string;
      /**
       * @description The person that a trusted proxy has signed in; null without one.
       * @example ann@example.com
       */
      person: string | null;
      /** @description The API key of the request; null if the service requires none. */
      key: components['schemas']['OwnKeyView'] | null;
      /**
       * @description What the caller may do, as in its API key; everything if the service requires no API keys.
       * @example [
       *       "read",
       *       "enqueue:mail"
       *     ]
       */
      may: string[];
      /** @description The names of the queues that the caller may read, in order; null: all of them. */
      queues: string[] | null;
    };
    TransactionCommand: {
      /**
       * @description The `operationId` in this document.
       * @example enqueueTask
       * @enum {string}
       */
      operation:
        | 'defineQueue'
        | 'deleteQueue'
        | 'changePolicy'
        | 'pauseQueue'
        | 'resumeQueue'
        | 'closeIntake'
        | 'openIntake'
        | 'finishQueue'
        | 'reopenQueue'
        | 'succeedTask'
        | 'failTask'
        | 'completeStep'
        | 'recordData'
        | 'reportError'
        | 'returnTask'
        | 'confirmCancel'
        | 'cancelRun'
        | 'enqueueTask'
        | 'submitTask'
        | 'holdTask'
        | 'releaseTask'
        | 'retryTask'
        | 'decideTask'
        | 'cancelTask'
        | 'abortTask'
        | 'prioritiseTask'
        | 'rescheduleTask'
        | 'amendTask'
        | 'annotateTask'
        | 'arrangeTask'
        | 'overruleTask'
        | 'deleteTask';
      /**
       * @description For `enqueueTask` and every operation on a queue.
       * @example mail
       */
      queue?: string;
      /**
       * Format: uuid
       * @description The id of the task, for every other operation.
       * @example 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f
       */
      id?: string;
      /**
       * @description For `changePolicy`: the version of the policy that you have read.
       * @example 3
       */
      ifVersion?: number;
      /**
       * @description The body of the operation; for `deleteTask`, its query parameters.
       * @example {
       *       "payload": {
       *         "to": "ann@example.com"
       *       }
       *     }
       */
      body?: unknown;
    };
    Transaction: {
      commands: components['schemas']['TransactionCommand'][];
    };
    TransactionResult: {
      /** @description The id of the task, or the name of the queue. For an enqueue, the id of the new task or of the task that was already waiting. */
      id: string;
      revision: number;
      /** @description false: the command was already done, and nothing was recorded. */
      recorded: boolean;
    };
    TransactionReceipt: {
      /** @description One result per command, in order. */
      results: components['schemas']['TransactionResult'][];
      /**
       * @description A position in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description `false`: the command is recorded, but queries may not show it yet. One with its position as `minPosition` waits until it can. Absent otherwise, and in the items of an answer.
       * @enum {boolean}
       */
      indexed?: false;
    };
    PreviewRequest: {
      /**
       * @description The `operationId` in this document.
       * @example retryTask
       * @enum {string}
       */
      operation:
        | 'createBatch'
        | 'releaseBatch'
        | 'requestReport'
        | 'rerunBatch'
        | 'openBatch'
        | 'abortBatch'
        | 'deleteBatch'
        | 'startDelivery'
        | 'resolveFailureGroup'
        | 'ignoreFailureGroup'
        | 'reopenFailureGroup'
        | 'placeHold'
        | 'liftHold'
        | 'acceptLoss'
        | 'retireLogKey'
        | 'runTaskAgain'
        | 'defineResource'
        | 'deleteResource'
        | 'defineQueue'
        | 'deleteQueue'
        | 'changePolicy'
        | 'pauseQueue'
        | 'resumeQueue'
        | 'closeIntake'
        | 'openIntake'
        | 'finishQueue'
        | 'reopenQueue'
        | 'enqueueTask'
        | 'drainSystem'
        | 'resumeSystem'
        | 'rebuildProjection'
        | 'submitTask'
        | 'holdTask'
        | 'releaseTask'
        | 'retryTask'
        | 'decideTask'
        | 'cancelTask'
        | 'abortTask'
        | 'prioritiseTask'
        | 'rescheduleTask'
        | 'amendTask'
        | 'annotateTask'
        | 'arrangeTask'
        | 'overruleTask'
        | 'deleteTask'
        | 'defineTrigger'
        | 'deleteTrigger'
        | 'enableTrigger'
        | 'disableTrigger'
        | 'fireTrigger'
        | 'saveView'
        | 'deleteView'
        | 'runTransaction';
      /**
       * @description What the path of the operation names: the id of a task or batch, or the name of a queue or other.
       * @example 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f
       */
      on?: string;
      /**
       * @description For `changePolicy`: the version of the policy that you have read.
       * @example 3
       */
      ifVersion?: number;
      /**
       * @description The body of the operation; of those without a body, the query parameters.
       * @example {
       *       "reason": "mended"
       *     }
       */
      body?: unknown;
    };
    PreviewedEvent: {
      /** @example TaskRetried */
      type: string;
      version: number;
      /** @description Absent for an API key that may not read all queues. */
      data?: {
        [key: string]: unknown;
      };
    };
    PreviewedChange: {
      /** @example task-019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f */
      stream: string;
      /** @description Its id or name. */
      id: string;
      /**
       * @description Its state now; null if it does not exist.
       * @example failed
       */
      from: string | null;
      /**
       * @description Its state after the command: the same if it would keep it, and null if it has none.
       * @example pending
       */
      to: string | null;
      /** @description In their order. */
      events: components['schemas']['PreviewedEvent'][];
    };
    CommandPreview: {
      /**
       * @description Where in the log it was decided.
       * @example 4711
       */
      position: string;
      /** @description Empty if everything is as the command wants it. What others do then because of it is not among them. */
      changes: components['schemas']['PreviewedChange'][];
      /** @description How many other tasks an abort would take along, because they wait for these; 100,000 at most. */
      takenAlong: number;
      /** @description How many other tasks would have nothing left to wait for, because they ignore the abort; 100,000 at most. */
      unblocked: number;
      /**
       * @description How often each trigger would fire, by its name. Absent for an API key that may not read all queues.
       * @example {
       *       "tell-ann": 1
       *     }
       */
      triggers?: {
        [key: string]: number;
      };
    };
    DatabaseCheck: {
      /** @enum {string} */
      status: 'up';
    };
    ProjectionsCheck: {
      /** @enum {string} */
      status: 'up' | 'degraded';
      /**
       * @description The lag of each follower in seconds, by its name.
       * @example {
       *       "queue-stats": 0,
       *       "worker-roster": 0.012
       *     }
       */
      lagSeconds: {
        [key: string]: number;
      };
      /** @description The followers that stopped at an event that they cannot apply. */
      stopped?: string[];
    };
    SweeperCheck: {
      /** @enum {string} */
      status: 'up';
      /**
       * @description How long ago any process swept last; null if none ever did.
       * @example 1.25
       */
      lastSweepSeconds: number | null;
    };
    RoomsCheck: {
      /** @enum {string} */
      status: 'up' | 'degraded';
      /**
       * @description The rooms of this process of which at least seven eighths are taken.
       * @example [
       *       "bodies"
       *     ]
       */
      crowded?: string[];
    };
    PayloadsCheck: {
      /**
       * @description 'up', too, if the service has no store of payloads.
       * @enum {string}
       */
      status: 'up' | 'degraded';
      /** @description What does not work meanwhile. */
      message?: string;
    };
    ReadinessChecks: {
      database: components['schemas']['DatabaseCheck'];
      projections: components['schemas']['ProjectionsCheck'];
      sweeper: components['schemas']['SweeperCheck'];
      rooms: components['schemas']['RoomsCheck'];
      payloads: components['schemas']['PayloadsCheck'];
    };
    Readiness: {
      /**
       * @description 'degraded': the service works, but needs attention.
       * @enum {string}
       */
      status: 'ok' | 'degraded';
      details: components['schemas']['ReadinessChecks'];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getQueue: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  defineQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['QueueDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DefinitionReceipt'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DefinitionReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `RESOURCE_NOT_FOUND`: No such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ERASURE_NOT_POSSIBLE`: The store cannot forget.
       *
       *     `QUEUES_WAIT_IN_CYCLE`: The queues would wait for each other.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PRESET_NOT_FOUND`: No such preset.
       *
       *     `POLICY_CONTRADICTORY`: The policy contradicts itself.
       *
       *     `SEARCH_NOT_POSSIBLE`: Payloads outside the log cannot be searched.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       *
       *     `PAYLOAD_SCHEMA_INVALID`: A payload schema cannot be used.
       *
       *     `AWAITED_QUEUE_NOT_FOUND`: No such queue to wait for.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteQueue: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       *
       *     `QUEUE_NOT_EMPTY`: The queue has open tasks.
       *
       *     `QUEUE_AWAITED`: Another queue waits for the queue.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listQueues: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description `false`: without the queues of the service itself (`waybill.*`); `true`: only those. */
        internal?: boolean;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  tallyQueue: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueTally'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPolicy: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuePolicy'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changePolicy: {
    parameters: {
      query?: never;
      header: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
        /** @description The ETag of the policy that you have read. */
        'If-Match': string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PolicyChange'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       *
       *     `ERASURE_NOT_POSSIBLE`: The store cannot forget.
       *
       *     `QUEUES_WAIT_IN_CYCLE`: The queues would wait for each other.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `POLICY_VERSION_MISMATCH`: The policy has changed. */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `POLICY_CONTRADICTORY`: The policy contradicts itself.
       *
       *     `SEARCH_NOT_POSSIBLE`: Payloads outside the log cannot be searched.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       *
       *     `PAYLOAD_SCHEMA_INVALID`: A payload schema cannot be used.
       *
       *     `AWAITED_QUEUE_NOT_FOUND`: No such queue to wait for.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `PRECONDITION_REQUIRED`: If-Match is required. */
      428: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listPolicyVersions: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PolicyVersionPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  diffPolicyVersions: {
    parameters: {
      query: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        fromVersion: number;
        toVersion: number;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PolicyDiff'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  blamePolicy: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PolicyBlame'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  pauseQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PauseQueueRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PAUSE_IN_THE_PAST`: The pause would end in the past.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resumeQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  closeIntake: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  openIntake: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  finishQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       *
       *     `QUEUE_NOT_EMPTY`: The queue has open tasks.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reopenQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `QUEUE_ILLEGAL_TRANSITION`: The queue's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getQueueStats: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Also answer with figures over time from this time on, or from this long ago (such as `24h`). Needs `to`. */
        from?: string | 'now' | unknown | unknown;
        /** @description Where the figures over time end. Needs `from`. */
        to?: string | 'now' | unknown | unknown;
        /** @description The length of a bucket of figures; if absent, the finest with up to 180 buckets. Needs `from`. */
        bucket?: '1m' | '5m' | '15m' | '1h' | '6h' | '1d';
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueStatsDetails'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getQueueWaits: {
    parameters: {
      query: {
        /** @description Where the range begins: a time, or how long ago. */
        from: string | 'now' | unknown | unknown;
        /** @description Where it ends; now if absent. */
        to?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueWaits'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getRetention: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        succeeded?: number;
        failed?: number;
        cancelled?: number;
        aborted?: number;
        superseded?: number;
        deleted?: number;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RetentionView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  enqueueTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TaskSubmission'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       *
       *     `PREREQUISITE_DEAD`: A prerequisite can never be done.
       *
       *     `PREREQUISITE_CYCLE`: The tasks would wait for each other.
       *
       *     `GRAPH_TOO_LARGE`: The graph is too large for this change.
       *
       *     `BATCH_ENDED`: The batch takes no more tasks.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_ACCEPTED`: The queue does not accept this kind.
       *
       *     `STEP_UNKNOWN`: No such step.
       *
       *     `PRIORITY_NOT_TAKEN`: The queue decides the priority.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       *
       *     `PAYLOAD_DIGEST_MISMATCH`: The payload is not the one of the digest.
       *
       *     `PREREQUISITE_NOT_FOUND`: A prerequisite does not exist.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  enqueueTasks: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnqueueMany'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueManyResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  suggestTerms: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description A search as far as it is written. */
        q?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SuggestionList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listTasks: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description What must match besides the other fields, term by term: `id:` (whole, or its last 8 characters), `queue:`, `state:`, `kind:`, `key:`, `reference:`, `batch:`, `worker:`, `step:`, `label.NAME:`, `payload.PATH:` (in queues that are searched by it), `error:` (its class, or text of it), `actor:`, `build:`, `since:` and `until:` (enqueued), `ended>` and `ended<`, and words of the reference, the key, the description or the error. Commas separate alternatives, and `key:`, `reference:`, `kind:` and `worker:` take beginnings such as `inv-*`. A search for which no index has few tasks is refused. */
        q?: string;
        /** @description `false`: without the tasks of the service itself (`waybill.*`); `true`: only those. */
        internal?: boolean;
        queue?: string;
        state?:
          | 'prepared'
          | 'pending'
          | 'held'
          | 'running'
          | 'undecided'
          | 'failed'
          | 'succeeded'
          | 'cancelled'
          | 'aborted'
          | 'superseded'
          | 'deleted';
        key?: string;
        reference?: string;
        kind?: string;
        worker?: string;
        /** @description Only tasks that are in this step. */
        step?: string;
        /** @description Only tasks of this batch. */
        batch?: string;
        /** @description Only tasks that failed last in this group of failures. */
        group?: string;
        /** @description As `name:value`. */
        label?: string;
        /** @description `true`: only open tasks whose deadline has passed. */
        overdue?: boolean;
        /** @description `deadline`: only tasks that have a deadline, the earliest first. `newest`: by id, the greatest first; failed tasks by their latest failure, as without it. */
        sort?: 'deadline' | 'newest';
        /** @description Only tasks of which an event was decided by this version of the queue's policy. Read from the log: up to 50,000 such events, for up to 10 seconds. Needs `queue`. */
        policyVersion?: number;
        /** @description With `policyVersion`: only by events from this time on. */
        decidedSince?: string | 'now' | unknown | unknown;
        /** @description With `policyVersion`: only by events before this time. */
        decidedUntil?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listFailedTasks: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTask: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskDetails'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteTask: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
        /** @description Also delete a running task. */
        force?: boolean;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `TASK_AWAITED`: Another task waits for this one.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskPayload: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPayload'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `PAYLOAD_MISSING`: The payload is not in the payload store.
       *
       *     `PAYLOAD_CHANGED`: The payload was changed in the payload store.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       *
       *     `PAYLOAD_STORE_UNAVAILABLE`: The payload store is unavailable.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskExplanation: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskExplanation'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskWait: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskWait'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskGraph: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Over how many steps; with 1, only what the task itself waits for and what waits for it. All if absent. */
        depth?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskGraph'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskResult: {
    parameters: {
      query?: {
        /** @description How long to wait for the end of the task, in milliseconds; 0 if absent. */
        waitMs?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskResult'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_WAITING`: Too many requests wait.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listResults: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrerequisiteResultPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  arrangeTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PrerequisitesRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `PREREQUISITE_DEAD`: A prerequisite can never be done.
       *
       *     `PREREQUISITE_CYCLE`: The tasks would wait for each other.
       *
       *     `GRAPH_TOO_LARGE`: The graph is too large for this change.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PREREQUISITE_NOT_FOUND`: A prerequisite does not exist.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createFollowToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['FollowTokenRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FollowToken'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `NO_FOLLOW_SECRET`: No secret for follow tokens is configured. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  followTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `id` of the last message that arrived: the first message has only the events after it. */
        'Last-Event-ID'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['FollowedTask'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `TASK_NOT_FOUND`: No such task.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       *
       *     `HOLD_NOT_FOUND`: No such hold.
       *
       *     `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       *
       *     `TRIGGER_NOT_FOUND`: No such trigger.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_STREAMS`: Too many event streams are open.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskLog: {
    parameters: {
      query?: {
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description How long to wait for lines if there are none, in milliseconds; 0 if absent. */
        waitMs?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskLogPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_WAITING`: Too many requests wait.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  submitTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  holdTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  releaseTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `HOLD_IN_FORCE`: A hold is in force.
       *
       *     `APPROVAL_NEEDED`: Somebody else must approve the erasure.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  retryTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RetryTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `RERUN_IN_BATCH`: The task can only be run again in a batch of its own.
       *
       *     `FAILURE_IS_FINAL`: The failure is final.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       *
       *     `RETRY_STEP_NEEDS_OVERRIDE`: Another step comes next.
       *
       *     `STEP_NOT_RESUMABLE`: The step cannot be resumed.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `STEP_UNKNOWN`: No such step.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  decideTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DecideTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  cancelTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  abortTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  prioritiseTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PrioritiseTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rescheduleTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RescheduleTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  amendTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmendTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  annotateTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TaskDataRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  overruleTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OverruleTaskRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `REASON_REQUIRED`: A reason is required.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  runTaskAgain: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RunAgainRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TASK_NOT_FOUND`: No such task.
       *
       *     `QUEUE_NOT_FOUND`: No such queue.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `TASK_NOT_ENDED`: The task has not ended.
       *
       *     `TASK_NOT_REPEATABLE`: The task cannot run again by itself.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `STEP_NOT_RESUMABLE`: The step cannot be resumed.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_ACCEPTED`: The queue does not accept this kind.
       *
       *     `STEP_UNKNOWN`: No such step.
       *
       *     `PRIORITY_NOT_TAKEN`: The queue decides the priority.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       *
       *     `PAYLOAD_DIGEST_MISMATCH`: The payload is not the one of the digest.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskLineage: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Over how many steps to show what led to the task; 3 if absent. */
        up?: number;
        /** @description Over how many steps to show what followed from it; 3 if absent. */
        down?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Lineage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listOverlaps: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Only those of this queue. */
        queue?: string;
        /** @description From this time on, or from this long ago (such as `24h`, the default). */
        from?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago; until now if absent. */
        to?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OverlapPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBatches: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description What must match besides the other fields, term by term: `id:` (whole, or its last 8 characters), `name:` (or a beginning such as `night*`), `label.NAME:`, `state:`, `actor:` (who created it), `since:` and `until:` (created), `ended>` and `ended<`, and words of the name or the description. Commas separate alternatives. */
        q?: string;
        state?: 'planning' | 'running' | 'completed' | 'failed' | 'reporting' | 'aborted' | 'deleted';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BatchDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_EXISTS`: Another batch or a task has this id.
       *
       *     `RE_RUN_REPORTING_FIXED`: The queue determines how runs of failed tasks are reported.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PRESET_NOT_FOUND`: No such preset.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_ACCEPTED`: The queue does not accept this kind.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  releaseBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_WITHOUT_PLANNER`: No task plans the batch.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `HOLD_IN_FORCE`: A hold is in force.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  requestReport: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_ILLEGAL_TRANSITION`: The batch's state does not allow this.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       *
       *     `RE_RUNS_REPORTED_OTHERWISE`: The batch reports runs of failed tasks in another way.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rerunBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_ILLEGAL_TRANSITION`: The batch's state does not allow this.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       *
       *     `RE_RUNS_REPORTED_OTHERWISE`: The batch reports runs of failed tasks in another way.
       *
       *     `BATCH_RUNS_AGAIN`: Another batch runs the failed tasks again.
       *
       *     `DRAINING`: The system takes no new tasks.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  openBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OpenBatchRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_ILLEGAL_TRANSITION`: The batch's state does not allow this.
       *
       *     `BATCH_INCOMPLETE`: The batch has another number of tasks.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  abortBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_ILLEGAL_TRANSITION`: The batch's state does not allow this.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getBatch: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchDetails'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteBatch: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `BATCH_AWAITED`: A task outside the batch waits for it.
       *
       *     `BATCH_COMMAND_NOT_OFFERED`: The batch does not offer this command.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBatchReports: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchReportPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  tallyBatch: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchTallyList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getBatchGraph: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskGraph'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listBulkOperations: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Only what this actor ordered. */
        actor?: string;
        command?:
          | 'retry'
          | 'cancel'
          | 'abort'
          | 'hold'
          | 'release'
          | 'prioritise'
          | 'delete'
          | 'runAgain'
          | 'deleteQueue'
          | 'undo';
        /** @description The state of the operation: a paused one is `held`. */
        state?:
          | 'prepared'
          | 'pending'
          | 'held'
          | 'running'
          | 'undecided'
          | 'failed'
          | 'succeeded'
          | 'cancelled'
          | 'aborted'
          | 'superseded'
          | 'deleted';
        /** @description Only what was ordered from this time on. */
        since?: string;
        /** @description Only what was ordered up to this time. */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperationPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  startBulkOperation: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkOperationRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedBulkOperation'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `QUEUE_AWAITED`: Another queue waits for the queue.
       *
       *     `TASK_AWAITED`: Another task waits for this one.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `NO_TASK_MATCHES`: No task matches.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  undoBulkOperation: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UndoRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedBulkOperation'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `OPERATION_UNDER_WAY`: The operation is under way.
       *
       *     `OPERATION_NOT_UNDOABLE`: The operation cannot be undone.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `NO_TASK_MATCHES`: No task matches.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getBulkOperation: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperationDetails'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  startErasure: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ErasureRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedErasure'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ERASURE_NOT_POSSIBLE`: The store cannot forget.
       *
       *     `ERASURE_FORBIDDEN`: A legal hold forbids the erasure.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `NO_TASK_MATCHES`: No task matches.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getErasureCertificate: {
    parameters: {
      query?: {
        /** @description What was erased after this id: `next` of the part before. */
        after?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasureCertificate'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `NOT_SEALED`: No seal covers it yet.
       *
       *     `ERASURE_NOT_DONE`: The erasure has not been carried out.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  startDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeliveryRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTrigger: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  defineTrigger: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TriggerDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       *
       *     `TRIGGER_CYCLE`: The triggers would lead to each other.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteTrigger: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listTriggers: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  enableTrigger: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  disableTrigger: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TriggerReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  fireTrigger: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['FireTriggerRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /** @description Created. */
      201: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          /** @description The path of the created resource. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TRIGGER_NOT_FOUND`: No such trigger.
       *
       *     `QUEUE_NOT_FOUND`: No such queue.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `NOTHING_READY`: The queue gives out nothing.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `CLAIM_ID_REUSED`: The claim id was used for another claim.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_ACCEPTED`: The queue does not accept this kind.
       *
       *     `STEP_UNKNOWN`: No such step.
       *
       *     `PRIORITY_NOT_TAKEN`: The queue decides the priority.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       *
       *     `PAYLOAD_DIGEST_MISMATCH`: The payload is not the one of the digest.
       *
       *     `CRON_INVALID`: The cron pattern is invalid.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  replayTrigger: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedReplay'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listFailureGroups: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only failures of tasks of this queue. */
        queue?: string;
        state?: 'open' | 'resolved' | 'ignored';
        class?: 'business' | 'application' | 'transient' | 'bug' | 'lost' | 'timeout' | 'expired';
        /** @description `latest`: what was seen last comes first (the default); `most`: what most tasks or attempts failed with. */
        order?: 'latest' | 'most';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureGroupList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getFailureGroup: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only failures of tasks of this queue. */
        queue?: string;
      };
      header?: never;
      path: {
        group: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailureGroupView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FAILURE_GROUP_NOT_FOUND`: No such group of failures. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveFailureGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        group: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResolveFailureGroupRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `OPERATION_NOT_FOUND`: No such operation.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  ignoreFailureGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        group: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FAILURE_GROUP_NOT_FOUND`: No such group of failures. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reopenFailureGroup: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        group: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ReasonRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FAILURE_GROUP_NOT_FOUND`: No such group of failures. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getHold: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        hold: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HoldView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOLD_NOT_FOUND`: No such hold. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  placeHold: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        hold: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HoldDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `LEGAL_HOLD_IN_FORCE`: The hold forbids erasures.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  liftHold: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        hold: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `LEGAL_HOLD_IN_FORCE`: The hold forbids erasures.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOLD_NOT_FOUND`: No such hold. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listHolds: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HoldList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getResource: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path: {
        resource: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResourceView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `RESOURCE_NOT_FOUND`: No such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  defineResource: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        resource: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResourceDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteResource: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        resource: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `RESOURCE_NOT_FOUND`: No such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `RESOURCE_NEEDED`: A queue needs the resource.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listResources: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ResourceList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  measureResource: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        resource: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Measure'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MeasureResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `RESOURCE_NOT_FOUND`: No such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  saveView: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        view: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ViewDefinition'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `TOO_MANY_VIEWS`: Too many views.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteView: {
    parameters: {
      query?: {
        /** @description The reason, for the history. */
        reason?: string;
      };
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        view: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `VIEW_NOT_FOUND`: No such view. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listViews: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SavedViewList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  claimTasks: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ClaimRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ClaimResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `CLAIM_ID_REUSED`: The claim id was used for another claim.
       *
       *     `STEP_UNKNOWN`: No such step.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_WAITING`: Too many requests wait.
       *
       *     `HOLDER_FULL`: Enough tasks run for the API key.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  startTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TaskStart'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StartedTask'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `FORBIDDEN`: The request is not allowed.
       *
       *     `QUEUE_RESERVED`: The queue is reserved.
       */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `COMMAND_NOT_OFFERED`: The queue does not offer this command.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `TASK_EXISTS`: Another task or a batch has this id.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `START_NOT_ALLOWED`: The queue does not let tasks start at once.
       *
       *     `KEY_BUSY`: Another task uses this key.
       *
       *     `HOLD_IN_FORCE`: A hold is in force.
       *
       *     `TASK_ALREADY_CLAIMED`: Another worker has claimed the task.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_ACCEPTED`: The queue does not accept this kind.
       *
       *     `STEP_UNKNOWN`: No such step.
       *
       *     `PRIORITY_NOT_TAKEN`: The queue decides the priority.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       *
       *     `PAYLOAD_DIGEST_MISMATCH`: The payload is not the one of the digest.
       *
       *     `CLAIM_ID_REUSED`: The claim id was used for another claim.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `HOLDER_FULL`: Enough tasks run for the API key.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  extendLease: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SingleHeartbeat'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExtendedLease'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `LEASE_LOST`: The claim is over.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  extendLeases: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExtendMany'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExtendManyResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  checkLeases: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CheckBatch'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CheckManyResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  succeedTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Success'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  failTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Failure'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  completeStep: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StepCompletion'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `STEP_OUT_OF_ORDER`: The steps must be completed in order.
       *
       *     `HISTORY_FULL`: The task's history is full.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STEP_UNKNOWN`: No such step.
       *
       *     `PRIORITY_NOT_TAKEN`: The queue decides the priority.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  recordData: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DataRecord'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `HISTORY_FULL`: The task's history is full.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `DATA_TOO_LARGE`: The task's data are too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportError: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReportedError'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `HISTORY_FULL`: The task's history is full.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  returnTask: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Return'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `HISTORY_FULL`: The task's history is full.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  confirmCancel: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LeaseProof'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `CANCEL_NOT_REQUESTED`: No cancellation was requested.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  cancelRun: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OwnCancellation'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Settlement'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `LEASE_LOST`: The claim is over.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  settleTasks: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SettleMany'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettleManyResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  takeTurn: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
      };
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TurnRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TurnResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readEvents: {
    parameters: {
      query?: {
        /** @description Start after this position; at the first event if absent. */
        after?: string;
        /** @description Start at this time, this long ago (such as `10m`), or `now`. Cannot be combined with `after`. */
        since?: string | 'now' | unknown | unknown;
        /** @description Only events of this queue and its tasks. */
        queue?: string;
        /** @description Only events of this task. */
        task?: string;
        /** @description Only events of this category. `consumer`: who took a serial queue, or took it over. */
        category?:
          | 'task'
          | 'queue'
          | 'consumer'
          | 'trigger'
          | 'hold'
          | 'resource'
          | 'system'
          | 'batch'
          | 'attendance'
          | 'build'
          | 'failure'
          | 'notary'
          | 'view';
        /** @description Only events of the batch, hold, resource or trigger of this name. Needs its `category`. */
        name?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description Only events that this actor caused. */
        actor?: string;
        /** @description Only events that were decided by this version of their queue's policy. */
        policyVersion?: number;
        /** @description Only the public halves: what happened, without payloads, keys, labels, results and texts of errors. */
        half?: 'public';
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
        /** @description The most events to return; all if absent. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['EventView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `TASK_NOT_FOUND`: No such task.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       *
       *     `HOLD_NOT_FOUND`: No such hold.
       *
       *     `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       *
       *     `TRIGGER_NOT_FOUND`: No such trigger.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_STREAMS`: Too many event streams are open.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  followEvents: {
    parameters: {
      query?: {
        /** @description Start after this position; at the first event if absent. */
        after?: string;
        /** @description Start at this time, this long ago (such as `10m`), or `now`. Cannot be combined with `after`. */
        since?: string | 'now' | unknown | unknown;
        /** @description Only events of this queue and its tasks. */
        queue?: string;
        /** @description Only events of this task. */
        task?: string;
        /** @description Only events of this category. `consumer`: who took a serial queue, or took it over. */
        category?:
          | 'task'
          | 'queue'
          | 'consumer'
          | 'trigger'
          | 'hold'
          | 'resource'
          | 'system'
          | 'batch'
          | 'attendance'
          | 'build'
          | 'failure'
          | 'notary'
          | 'view';
        /** @description Only events of the batch, hold, resource or trigger of this name. Needs its `category`. */
        name?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description Only events that this actor caused. */
        actor?: string;
        /** @description Only events that were decided by this version of their queue's policy. */
        policyVersion?: number;
        /** @description Only the public halves: what happened, without payloads, keys, labels, results and texts of errors. */
        half?: 'public';
      };
      header?: {
        /** @description Start after this position. Overrides `after` and `since`. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['EventView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `TASK_NOT_FOUND`: No such task.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       *
       *     `HOLD_NOT_FOUND`: No such hold.
       *
       *     `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       *
       *     `TRIGGER_NOT_FOUND`: No such trigger.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_STREAMS`: Too many event streams are open.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getQueueHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        /** @description The name of a queue, or its id. */
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUE_NOT_FOUND`: No such queue. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getBatchHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BATCH_NOT_FOUND`: No such batch. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTriggerHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        trigger: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TRIGGER_NOT_FOUND`: No such trigger. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getHoldHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        hold: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOLD_NOT_FOUND`: No such hold. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getResourceHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path: {
        resource: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `RESOURCE_NOT_FOUND`: No such resource. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSystemHistory: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description Only events that this actor caused. */
        actor?: string;
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listActivity: {
    parameters: {
      query?: {
        /** @description From this time on, or from this long ago (such as `24h`). */
        since?: string | 'now' | unknown | unknown;
        /** @description Up to this time, or up to this long ago. */
        until?: string | 'now' | unknown | unknown;
        /** @description Only what this actor did. */
        actor?: string;
        /** @description Only what was done to this kind of thing. */
        category?:
          | 'task'
          | 'queue'
          | 'consumer'
          | 'trigger'
          | 'hold'
          | 'resource'
          | 'system'
          | 'batch'
          | 'attendance'
          | 'build'
          | 'failure'
          | 'notary'
          | 'view';
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskDataRecorded'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskLateReportRefused'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskDeadlineMissed'
          | 'TaskPayloadAmended'
          | 'TaskPrerequisitesChanged'
          | 'TaskDeleted'
          | 'TaskOverruled'
          | 'TaskRestored'
          | 'TaskErased'
          | 'TaskReservationAbandoned'
          | 'QueueDefined'
          | 'QueuePolicyChanged'
          | 'QueuePaused'
          | 'QueueResumed'
          | 'QueueIntakeClosed'
          | 'QueueIntakeOpened'
          | 'QueueFinished'
          | 'QueueReopened'
          | 'QueueWaiting'
          | 'QueueActivated'
          | 'QueueDeleted'
          | 'QueueReservationAbandoned'
          | 'QueueTaken'
          | 'QueueTakenOver'
          | 'QueueAnomalyFound'
          | 'QueueLateReportRefused'
          | 'TriggerDefined'
          | 'TriggerChanged'
          | 'TriggerEnabled'
          | 'TriggerDisabled'
          | 'TriggerDeleted'
          | 'TriggerFired'
          | 'TriggerSkipped'
          | 'TriggerFailed'
          | 'TriggerGaveUp'
          | 'HoldPlaced'
          | 'HoldLifted'
          | 'ResourceDefined'
          | 'ResourceShort'
          | 'ResourceFree'
          | 'ResourceDeleted'
          | 'SystemDrained'
          | 'SystemQuiesced'
          | 'SystemResumed'
          | 'BatchCreated'
          | 'BatchOpened'
          | 'BatchCompleted'
          | 'BatchFailed'
          | 'BatchPlanFailed'
          | 'BatchReportRequested'
          | 'BatchReported'
          | 'BatchTaskReported'
          | 'BatchRerun'
          | 'BatchAborted'
          | 'BatchErased'
          | 'BatchDeleted'
          | 'BatchReservationAbandoned'
          | 'QueueUnattended'
          | 'QueueAttended'
          | 'BuildBegan'
          | 'FailureGroupResolved'
          | 'FailureGroupIgnored'
          | 'FailureGroupReopened'
          | 'FailureGroupReturned'
          | 'LogLossAccepted'
          | 'NotaryKeyRetired'
          | 'ViewSaved'
          | 'ViewDeleted';
        /** @description Only what was done to this queue and its tasks. */
        queue?: string;
        /** @description Only what was decided by this version of the queue's policy. */
        policyVersion?: number;
        /** @description What comes first; the newest if absent. */
        order?: 'newest' | 'oldest';
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ActivityPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listChanges: {
    parameters: {
      query: {
        /** @description The first of the two moments: a time, how long ago (such as `24h`), or a position of the log. A time before the first event stands for the beginning. */
        since: string | unknown | unknown | unknown;
        /** @description The second one; now if absent. */
        until?: string | unknown | unknown | unknown;
        /** @description Only tasks of this queue. If absent, of all queues but those of the service itself. */
        queue?: string;
        /** @description Only tasks of this batch. */
        batch?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangesPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  sumChanges: {
    parameters: {
      query: {
        /** @description The first of the two moments: a time, how long ago (such as `24h`), or a position of the log. A time before the first event stands for the beginning. */
        since: string | unknown | unknown | unknown;
        /** @description The second one; now if absent. */
        until?: string | unknown | unknown | unknown;
        /** @description Only tasks of this queue. If absent, of all queues but those of the service itself. */
        queue?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ChangesSum'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  followChanges: {
    parameters: {
      query?: {
        /** @description Start after this position; now if absent. */
        after?: string;
      };
      header?: {
        /** @description Start after this position. Overrides `after`. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['ChangeNotice'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `TASK_NOT_FOUND`: No such task.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       *
       *     `HOLD_NOT_FOUND`: No such hold.
       *
       *     `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       *
       *     `TRIGGER_NOT_FOUND`: No such trigger.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_STREAMS`: Too many event streams are open.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSystem: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SystemView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getDrain: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DrainState'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  drainSystem: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DrainRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resumeSystem: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResumeRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STREAM_UNREADABLE`: The history cannot be read. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listQueueStats: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description `false`: without the queues of the service itself (`waybill.*`); `true`: only those. */
        internal?: boolean;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueStatsList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listWorkers: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, which a command returned. */
        minPosition?: string;
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
        /** @description Answer as of this moment: a time, how long ago (such as `10m`), or a position of the log. `at` is another name for it. Cannot be combined with `minPosition`. */
        asOf?: string | unknown | unknown | unknown;
        /** @description `false`: without the work in queues of the service itself (`waybill.*`); `true`: only those. */
        internal?: boolean;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WorkerList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `HISTORY_NOT_READY`: The history is not ready yet.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listProjections: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectionList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rebuildProjection: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description One of `queue-stats`, `queue-history`, `worker-roster`, `failure-groups`, `lineage`. */
        projection: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RebuildRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `DRAINING`: The system takes no new tasks.
       *
       *     `INTAKE_CLOSED`: The queue's intake is closed.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getLog: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listSeals: {
    parameters: {
      query?: {
        /** @description The `nextCursor` of the previous page. */
        cursor?: string;
        /** @description The most items to return; 100 if absent. */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SealPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  acceptLoss: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LossRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `LOSS_NOT_FOUND`: The notary found no such loss.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listLogKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogKeyList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  retireLogKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewKeyRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `LOG_NOT_SEALED`: The log is not sealed under this name.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getTaskProof: {
    parameters: {
      query?: {
        /** @description With the private halves of the task's own events: payload, result, labels and so on. Needed if the events are in EventStoreDB. */
        private?: boolean;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskProof'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TASK_NOT_FOUND`: No such task. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `NOT_SEALED`: No seal covers it yet.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  exportLog: {
    parameters: {
      query?: {
        /** @description Only segments with events of this queue. */
        queue?: string;
        /** @description Only what was recorded from this time on, or from this long ago (such as `24h`). */
        from?: string | 'now' | unknown | unknown;
        /** @description Only what was recorded before this time, or up to this long ago. */
        to?: string | 'now' | unknown | unknown;
        /** @description With the private halves of events: payload, result, labels and so on. Needed if the events are in EventStoreDB. */
        private?: boolean;
        /** @description The size of the seal whose log to take; the last seal if absent. */
        size?: number;
        /** @description Only the parts after the one with this position, to go on where a connection broke off. */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['LogPart'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `QUEUE_NOT_FOUND`: No such queue.
       *
       *     `TASK_NOT_FOUND`: No such task.
       *
       *     `BATCH_NOT_FOUND`: No such batch.
       *
       *     `HOLD_NOT_FOUND`: No such hold.
       *
       *     `FAILURE_GROUP_NOT_FOUND`: No such group of failures.
       *
       *     `RESOURCE_NOT_FOUND`: No such resource.
       *
       *     `TRIGGER_NOT_FOUND`: No such trigger.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `NOT_SEALED`: No seal covers it yet. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       *
       *     `TOO_MANY_STREAMS`: Too many event streams are open.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  whoAmI: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MeView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  runTransaction: {
    parameters: {
      query?: never;
      header?: {
        /** @description The name of the caller in the history; 'anonymous' if absent. */
        'Waybill-Actor'?: string;
        /** @description The program or assistant that acts on the actor's behalf, for the history. */
        'Waybill-Agent'?: string;
        /** @description The caller's W3C trace context, for the history. One that is not valid is ignored. */
        traceparent?: string;
        /** @description The service carries out a request with the same key only once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Transaction'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' if this repeats an earlier answer under the same Idempotency-Key. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TASK_NOT_FOUND`: No such task.
       *
       *     `QUEUE_NOT_FOUND`: No such queue.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STREAM_UNREADABLE`: The history cannot be read.
       *
       *     `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `KEY_ALREADY_WAITING`: Another task with this key is waiting.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `HISTORY_FULL`: The task's history is full.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The event is too large.
       *
       *     `PAYLOAD_TOO_LARGE`: The payload is too large.
       *
       *     `TRANSACTION_TOO_LARGE`: The transaction is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key was used for another request.
       *
       *     `PAYLOAD_INVALID`: The payload does not match its schema.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  previewCommand: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewRequest'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The answer reflects at least this position. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CommandPreview'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is invalid.
       *
       *     `MALFORMED_JSON`: The body is not JSON.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TASK_NOT_FOUND`: No such task.
       *
       *     `QUEUE_NOT_FOUND`: No such queue.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `REQUEST_TIMEOUT`: The request did not arrive in time. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `ILLEGAL_TRANSITION`: The task's state does not allow this.
       *
       *     `NOT_PREVIEWED`: This cannot be previewed.
       *
       *     `STREAM_UNREADABLE`: The history cannot be read.
       */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `LENGTH_REQUIRED`: The length of the body must be given. */
      411: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body must be JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `INTERNAL_ERROR`: Internal error.
       *
       *     `COMMAND_FAILED`: The command failed.
       */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `READ_TOO_LONG`: The read took too long.
       *
       *     `OVERLOADED`: Too many bytes are in progress.
       *
       *     `CONTENTION`: Too many changes at once.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  isLive: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process answers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  isReady: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service is ready. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /**
       * @description `NOT_READY`: The service is not ready.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  readMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The metrics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      /** @description `INVALID_INPUT`: The request is invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNAUTHENTICATED`: An API key is required. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `FORBIDDEN`: The request is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service does not answer under this host. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `TOO_MANY_REFUSED_KEYS`: Too many refused API keys.
       *
       *     `QUOTA_EXCEEDED`: The API key's quota is used up.
       */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Internal error. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store is unavailable.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
}
