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
     * @description Makes the queue. One that stands is kept as it is, whoever changed it since, and the answer says what it is; `replace` changes it to this definition.
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
     * List the queues
     * @description By name.
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
  '/v1/queues/{queue}/policy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a queue's policy
     * @description Its version is the ETag.
     */
    get: operations['getPolicy'];
    /**
     * Change fields of a queue's policy
     * @description What is left out stays as it is.
     */
    put: operations['changePolicy'];
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
    /** Stop handing out tasks */
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
    /** Hand out tasks again */
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
    /** Take no more tasks in */
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
    /** Take tasks in again */
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
    /** End a queue whose tasks are all final */
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
    /** Open a finished queue again */
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
    /** Count a queue's tasks and times */
    get: operations['getQueueStats'];
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
     * Hand in a task
     * @description The same submission under the same id meets itself.
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
     * Hand in up to 1000 tasks
     * @description One result each, in their order. A refused item carries its problem and touches no other.
     */
    post: operations['enqueueTasks'];
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
     * @description In the order they were submitted; failed ones latest failure first.
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
     * @description Latest failure first.
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
     * @description Its history stays.
     */
    delete: operations['deleteTask'];
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
     * @description By what a claim looks at; every reason at once.
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
  '/v1/tasks/{id}/submit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Offer a prepared task to workers */
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
     * Keep a task back
     * @description A running one is asked to stop first.
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
    /** Let a held task wait for a worker again */
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
    /** Put a failed or cancelled task back to work */
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
    /** Decide what becomes of an undecided task */
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
     * Stop a task; it can be retried
     * @description A running one is asked to stop.
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
    /** Stop a task for good, at once */
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
    /** Change the priority of a task that does not run */
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
    /** Replace the payload of a task that does not run */
    post: operations['amendTask'];
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
     * End a running attempt against its worker
     * @description The worker's late report is refused.
     */
    post: operations['overruleTask'];
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
     * Take tasks to work on
     * @description Waits up to `waitMs` for a first one; none is no error.
     */
    post: operations['claimTasks'];
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
    /** Keep a claimed task */
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
    /** Keep up to 1000 claimed tasks */
    post: operations['extendLeases'];
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
    /** The task is done */
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
     * The attempt failed
     * @description What follows is for the queue's policy to say.
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
    /** A step is done */
    post: operations['completeStep'];
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
    /** An error was met, and the worker goes on */
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
     * Return a task that was not begun
     * @description No attempt is spent.
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
    /** Stopped, as was asked */
    post: operations['confirmCancel'];
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
     * @description One result each, in their order. A refused item carries its problem and touches no other.
     */
    post: operations['settleTasks'];
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
     * Read the events up to now
     * @description One JSON document a line, in commit order.
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
     * @description Server-sent events: `id` is the position, `event` the type, `data` the event. The first `id` stands alone: the position that the stream begins after, as in `X-As-Of-Position`. A comment every 15 s of silence.
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
  '/v1/queue-stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count every queue's tasks and times
     * @description By name.
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
     * @description By name.
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
    /** Show how far the read models are */
    get: operations['listProjections'];
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
     * Run up to 1000 commands, all or none
     * @description Each is decided on what those before it did. Nothing is visible, and no worker is woken, before all are recorded. Refused with what the first refused command would be refused with by itself, and its `index`.
     */
    post: operations['runTransaction'];
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
    /** Whether the process answers */
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
     * Whether the service can work
     * @description The database, its schema, and how far the read models are.
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
     * @description For Prometheus: queues, read models, requests of this process, and the process itself.
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
      /** @description By which each further delay grows. */
      factor?: number;
      /** @description No delay is longer. */
      capMs?: number;
      /** @enum {string} */
      jitter?: 'full' | 'none';
    };
    RetryChanges: {
      /** @description The first attempt included. */
      maxAttempts?: number;
      /** @description Failures of these classes are tried again. */
      classes?: ('business' | 'application' | 'transient' | 'bug')[];
      backoff?: components['schemas']['BackoffChanges'];
    };
    LimitChanges: {
      /** @description Bytes of a task's payload as JSON. */
      payloadBytes?: number;
    };
    QueueSchedule: {
      /**
       * @description Minute, hour, day, month, weekday.
       * @example 30 2 * * 1-5
       */
      cron: string;
      /**
       * @description An IANA name.
       * @example Europe/Berlin
       */
      timeZone: string;
    };
    PolicyChanges: {
      /** @description What its tasks may be, by their kinds; one that names none is of the first. Empty: any. */
      kinds?: string[];
      /** @description Tasks must carry a key. */
      keyRequired?: boolean;
      /**
       * @description What happens to a second task of a key while one already waits.
       * @enum {string}
       */
      duplicatePending?: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
      /** @description A success supersedes the failed tasks of its key. */
      clearFailuresOnSuccess?: boolean;
      /**
       * @description `block`: while a task of a key has failed, errs, or waits for its automatic retry, the later ones of the key wait. Needs `duplicatePending: allow`.
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
      /** @description Lost leases before the task fails. */
      maxLost?: number;
      /** @description How long a claim lasts without an extension. */
      leaseMs?: number;
      /** @description Of tasks that name none. */
      defaultPriority?: number;
      /** @description The steps of every task, in order. */
      steps?: string[];
      limits?: components['schemas']['LimitChanges'];
      /**
       * @description What becomes of a running task that is cancelled, once its worker has stopped: `cancel` leaves it cancelled, `fail` failed, with the request as its error, until its key succeeds or somebody retries it.
       * @enum {string}
       */
      onCancel?: 'cancel' | 'fail';
      /** @description Nothing is given out until these queues are finished. */
      waitsFor?: string[];
      /** @description Finishes by itself when the intake is closed and every task is final. */
      finite?: boolean;
      /** @description So many failed attempts in a row pause the queue; null: none do. */
      pauseAfterFailures?: number | null;
      /** @description Keep the stacks of errors (`details.stack`). Without it they are recorded nowhere: a stack tells of the worker's code and machine. */
      errorStacks?: boolean;
      /** @description When tasks that name no time are due: the next occurrence after they are handed in; null: at once. */
      schedule?: components['schemas']['QueueSchedule'] | null;
      /** @description How many tasks run at once. `serial`: one in the cluster, and one consumer; `0` means the same. `{ perServer: n }`: on each server n; a number n means the same. */
      concurrency?:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          }
        | number;
      /** @description Tasks that run at once in the whole cluster at most; null: no limit. */
      maxRunning?: number | null;
      /** @description How long a serial queue stays with a consumer that is not heard of. */
      takeoverSeconds?: number;
    };
    QueueDefinition: {
      /**
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @example Outgoing mail */
      description?: string;
      /**
       * @description Whose policy stands where `policy` says nothing, and whose words and commands are the queue’s.
       * @example cluster-tasks
       */
      preset?: string;
      /** @description What is left out takes its default. */
      policy?: components['schemas']['PolicyChanges'];
      /** @description Change a queue that stands to this definition. Without it that one is kept as it is. */
      replace?: boolean;
    };
    IntakeView: {
      open: boolean;
      by?: string;
      reason?: string | null;
    };
    QueueFailure: {
      /** Format: uuid */
      taskId: string;
      message: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug';
    };
    PauseView: {
      by: string;
      reason: string | null;
      /** Format: date-time */
      until: string | null;
      /** @description The failure that paused it, where its policy did. */
      failure: components['schemas']['QueueFailure'] | null;
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
      maxAttempts: number;
      /** @description Failures of these classes are tried again. */
      classes: ('business' | 'application' | 'transient' | 'bug')[];
      backoff: components['schemas']['BackoffPolicy'];
    };
    QueueLimits: {
      /** @example 262144 */
      payloadBytes: number;
    };
    QueuePolicy: {
      kinds: string[];
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
      maxLost: number;
      /** @example 30000 */
      leaseMs: number;
      /** @example 0 */
      defaultPriority: number;
      steps: string[];
      limits: components['schemas']['QueueLimits'];
      waitsFor: string[];
      finite: boolean;
      pauseAfterFailures: number | null;
      errorStacks: boolean;
      schedule: components['schemas']['QueueSchedule'] | null;
      /** @example unlimited */
      concurrency:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          };
      maxRunning: number | null;
      /** @example 30 */
      takeoverSeconds: number;
      preset: string | null;
      /** @description What each state of a task is called; null: the state's own name. */
      vocabulary: {
        [key: string]: string;
      } | null;
      /** @description What may be asked of its tasks beside work on them; null: everything. */
      commands: string[] | null;
    };
    DefinitionReceipt: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      revision: number;
      /** @description false: it was already done, and nothing was recorded. */
      recorded: boolean;
      /**
       * @description `kept`: a queue stood already, and is as it was.
       * @enum {string}
       */
      outcome: 'created' | 'kept' | 'replaced';
      /**
       * @description Where a queue that was kept is other than the definition: fields of the policy, or `description`. Empty where it is as it was asked for.
       * @example [
       *       "leaseMs"
       *     ]
       */
      differences: string[];
      description: string;
      /**
       * @description Only an active one gives tasks out.
       * @enum {string}
       */
      state: 'active' | 'paused' | 'waiting' | 'finished';
      /** @description A closed one takes no tasks in. */
      intake: components['schemas']['IntakeView'];
      pause?: components['schemas']['PauseView'];
      /** @description The one that stands. */
      policy: components['schemas']['QueuePolicy'];
      /** @description Of the policy that stands; its `ETag`. */
      policyVersion: number;
    };
    QueueView: {
      /** @example mail */
      name: string;
      description: string;
      /** @enum {string} */
      state: 'active' | 'paused' | 'waiting' | 'finished';
      intake: components['schemas']['IntakeView'];
      pause?: components['schemas']['PauseView'];
      /** @description While it waits: the queues that are not finished yet. */
      waitingFor?: string[];
      policy: components['schemas']['QueuePolicy'];
      /** @description The `ETag` of the policy. */
      policyVersion: number;
      revision: number;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
    };
    QueueList: {
      items: components['schemas']['QueueView'][];
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null;
    };
    Receipt: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      revision: number;
      /** @description false: it was already done, and nothing was recorded. */
      recorded: boolean;
    };
    PolicyChange: {
      /** @description What its tasks may be, by their kinds; one that names none is of the first. Empty: any. */
      kinds?: string[];
      /** @description Tasks must carry a key. */
      keyRequired?: boolean;
      /**
       * @description What happens to a second task of a key while one already waits.
       * @enum {string}
       */
      duplicatePending?: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
      /** @description A success supersedes the failed tasks of its key. */
      clearFailuresOnSuccess?: boolean;
      /**
       * @description `block`: while a task of a key has failed, errs, or waits for its automatic retry, the later ones of the key wait. Needs `duplicatePending: allow`.
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
      /** @description Lost leases before the task fails. */
      maxLost?: number;
      /** @description How long a claim lasts without an extension. */
      leaseMs?: number;
      /** @description Of tasks that name none. */
      defaultPriority?: number;
      /** @description The steps of every task, in order. */
      steps?: string[];
      limits?: components['schemas']['LimitChanges'];
      /**
       * @description What becomes of a running task that is cancelled, once its worker has stopped: `cancel` leaves it cancelled, `fail` failed, with the request as its error, until its key succeeds or somebody retries it.
       * @enum {string}
       */
      onCancel?: 'cancel' | 'fail';
      /** @description Nothing is given out until these queues are finished. */
      waitsFor?: string[];
      /** @description Finishes by itself when the intake is closed and every task is final. */
      finite?: boolean;
      /** @description So many failed attempts in a row pause the queue; null: none do. */
      pauseAfterFailures?: number | null;
      /** @description Keep the stacks of errors (`details.stack`). Without it they are recorded nowhere: a stack tells of the worker's code and machine. */
      errorStacks?: boolean;
      /** @description When tasks that name no time are due: the next occurrence after they are handed in; null: at once. */
      schedule?: components['schemas']['QueueSchedule'] | null;
      /** @description How many tasks run at once. `serial`: one in the cluster, and one consumer; `0` means the same. `{ perServer: n }`: on each server n; a number n means the same. */
      concurrency?:
        | ('unlimited' | 'serial')
        | {
            perServer: number;
          }
        | number;
      /** @description Tasks that run at once in the whole cluster at most; null: no limit. */
      maxRunning?: number | null;
      /** @description How long a serial queue stays with a consumer that is not heard of. */
      takeoverSeconds?: number;
      /** @description Why, for the history. */
      reason?: string;
    };
    PauseQueueRequest: {
      /**
       * @description Why, for the history.
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
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
    };
    DurationStats: {
      count: number;
      /** @description Milliseconds, summed over all. */
      total: number;
      max: number;
    };
    QueueStats: {
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
      failuresByClass: {
        business?: number;
        application?: number;
        transient?: number;
        bug?: number;
      };
      waitingMs: components['schemas']['DurationStats'];
      runningMs: components['schemas']['DurationStats'];
      /** @description For how long the longest waiting of the tasks waits that a worker could take now; null where none does. */
      oldestWaitingMs: number | null;
      /**
       * Format: date-time
       * @description When a worker last asked for tasks, a few seconds late; null where none has for a day.
       */
      lastPolledAt: string | null;
      /** @description Tasks wait that a worker could take now, and for a minute none has asked for them or worked here. */
      unattended: boolean;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      asOfPosition: string;
    };
    HoldWish: {
      reason?: string;
    };
    TaskSubmission: {
      /**
       * Format: uuid
       * @description Made up when absent. The same submission under the same id meets itself.
       */
      id?: string;
      /**
       * @description Names the handler; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description One task of a key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description The caller's own name for it.
       * @example order-4711
       */
      reference?: string;
      /**
       * @description Higher first, then oldest.
       * @example 0
       */
      priority?: number;
      /**
       * Format: date-time
       * @description Not offered to workers before.
       */
      dueAt?: string;
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
      /** @description Kept back until it is released. */
      hold?: components['schemas']['HoldWish'];
      /** @description Stored, but not offered to workers before it is submitted. */
      prepared?: boolean;
    };
    EnqueueResult: {
      /**
       * Format: uuid
       * @description The task that now waits: the new one, or the one that was already there.
       */
      id: string;
      /** @enum {string} */
      status: 'enqueued' | 'existing' | 'replaced';
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      revision: number;
    };
    QueuedSubmission: {
      /**
       * Format: uuid
       * @description Made up when absent. The same submission under the same id meets itself.
       */
      id?: string;
      /**
       * @description Names the handler; if absent, the first kind of the queue's policy, or 'task'.
       * @example send-mail
       */
      kind?: string;
      /**
       * @description One task of a key runs at a time.
       * @example customer-17
       */
      key?: string;
      /**
       * @description The caller's own name for it.
       * @example order-4711
       */
      reference?: string;
      /**
       * @description Higher first, then oldest.
       * @example 0
       */
      priority?: number;
      /**
       * Format: date-time
       * @description Not offered to workers before.
       */
      dueAt?: string;
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
      /** @description Kept back until it is released. */
      hold?: components['schemas']['HoldWish'];
      /** @description Stored, but not offered to workers before it is submitted. */
      prepared?: boolean;
      /** @example mail */
      queue: string;
    };
    TaskBatch: {
      tasks: components['schemas']['QueuedSubmission'][];
    };
    ProblemError: {
      /**
       * @description A JSON pointer into the body; a parameter as `#name`.
       * @example /tasks/3/priority
       */
      pointer: string;
      /** @example Expected an integer from 0 to 9, but got text of 4 characters */
      detail: string;
    };
    /** @description RFC 9457 problem details; further members are the data of the refusal. */
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
       * @description What to branch on.
       * @example TASK_NOT_FOUND
       */
      code: string;
      /** @description Names the request in the service's logs. */
      traceId?: string;
      errors?: components['schemas']['ProblemError'][];
    } & {
      [key: string]: unknown;
    };
    RefusedItem: {
      problem: components['schemas']['Problem'];
    };
    TaskBatchResult: {
      /** @description One result each, in their order. */
      results: (components['schemas']['EnqueueResult'] | components['schemas']['RefusedItem'])[];
      /**
       * @description The highest of the results; null where every item was refused.
       * @example 4711
       */
      position: string | null;
    };
    TaskErrorView: {
      message: string;
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug';
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
       * @description The state in the words of the queue's preset, if it has one.
       * @example WAITING
       */
      stateName: string;
      /**
       * @description Why a pending task is not running.
       * @enum {string|null}
       */
      waitingFor: 'worker' | 'due' | 'key' | 'queue-paused' | 'queue-waiting' | 'queue-finished' | null;
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
      /** Format: date-time */
      enqueuedAt: string | null;
      /**
       * Format: date-time
       * @description From when on it may run: its due time, or when it was handed in.
       */
      scheduledFor: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      attempt: number;
      worker: string | null;
      /** @description The last step that succeeded. */
      lastStep: string | null;
      error: components['schemas']['TaskErrorView'] | null;
      revision: number;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
    };
    TaskPage: {
      items: components['schemas']['TaskSummary'][];
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null;
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
       * @description The state in the words of the queue's preset, if it has one.
       * @example WAITING
       */
      stateName: string;
      /**
       * @description Why a pending task is not running.
       * @enum {string|null}
       */
      waitingFor: 'worker' | 'due' | 'key' | 'queue-paused' | 'queue-waiting' | 'queue-finished' | null;
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
      /** Format: date-time */
      enqueuedAt: string | null;
      /**
       * Format: date-time
       * @description From when on it may run: its due time, or when it was handed in.
       */
      scheduledFor: string;
      /** Format: date-time */
      startedAt: string | null;
      /** Format: date-time */
      finishedAt: string | null;
      attempt: number;
      worker: string | null;
      /** @description The last step that succeeded. */
      lastStep: string | null;
      error: components['schemas']['TaskErrorView'] | null;
      revision: number;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      /** @description As it stands: amendments included. */
      payload: unknown;
      /** @description What the worker handed over with its success; null before. */
      result: unknown;
      /** @description Empty for a task without steps. */
      steps: string[];
    };
    ReasonError: {
      /** @enum {string} */
      class: 'business' | 'application' | 'transient' | 'bug';
      message: string;
    };
    TaskInHand: {
      worker: string;
      server: string;
      /** Format: uuid */
      taskId: string;
    };
    NotRunningReason: {
      /**
       * @description `worker`: nothing; a worker that asks is given the task when it is its turn.
       * @enum {string}
       */
      because:
        | 'state'
        | 'held'
        | 'cancel-requested'
        | 'decision'
        | 'ended'
        | 'due'
        | 'key'
        | 'key-failure'
        | 'queue-paused'
        | 'queue-waiting'
        | 'queue-finished'
        | 'queue-failing'
        | 'no-slot'
        | 'worker';
      /**
       * @description With `state`: that no worker is given tasks of. With `ended`: in which it has. With `key-failure`: of the task that is named.
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
      /** @description Who did it. */
      by?: string;
      /**
       * Format: date-time
       * @description With `cancel-requested`, `decision` and `ended`: when.
       */
      at?: string;
      /** @description With `cancel-requested`: who is asked to stop. */
      worker?: string;
      /**
       * @description With `cancel-requested`: what it will be when it has stopped.
       * @enum {string}
       */
      then?: 'cancelled' | 'held' | 'failed';
      /** @description With `decision` and `ended`. */
      error?: components['schemas']['ReasonError'] | null;
      /** @description With `ended`: a failure that cannot be retried. */
      final?: boolean;
      reason?: string | null;
      /**
       * Format: date-time
       * @description With `due` and `queue-paused`.
       */
      until?: string | null;
      /** @description With `queue-paused`, by its policy. */
      failure?: components['schemas']['QueueFailure'] | null;
      /** @description With `key` and `key-failure`. */
      key?: string;
      /**
       * Format: uuid
       * @description With `key`: the task whose turn it is. With `key-failure`: the one before it that failed. With `ended`: whose success superseded it, or that waited for its key when it failed.
       */
      taskId?: string | null;
      /** @description With `queue-waiting`. */
      queues?: string[];
      /** @description With `queue-failing`: in a row. */
      failures?: number;
      /**
       * @description With `no-slot`.
       * @enum {string}
       */
      limit?: 'serial' | 'perServer' | 'maxRunning';
      /** @description With `worker`: tasks wait, and for a minute no worker has asked for them. */
      unattended?: boolean;
      /**
       * Format: date-time
       * @description With `worker`: when one last asked; null where none has for a day.
       */
      lastPolledAt?: string | null;
      /** @description With `no-slot`: the tasks that run. */
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
      /** @description At least one. */
      reasons: components['schemas']['NotRunningReason'][];
      /** @description Its place among the tasks of the queue that may run now; counted up to 10,000. */
      rank: number | null;
      /**
       * @description What people can do with it, by the names that refusals use.
       * @example [
       *       "RetryTask",
       *       "AbortTask",
       *       "DeleteTask"
       *     ]
       */
      allowed: string[];
    };
    EventEnvelope: {
      /** @example ann */
      actor: string;
      correlationId?: string;
      causationId?: string;
      reason?: string;
      tenant?: string;
      /** @description The version of the queue's policy that decided. */
      policyVersion?: number;
    };
    EventView: {
      /**
       * @description A place in the log of all events.
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
    };
    EventList: {
      /** @description Oldest first. */
      items: components['schemas']['EventView'][];
    };
    RetryTaskRequest: {
      /**
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @description Where to begin again; where it failed when absent. */
      step?: string;
      /** @description Needed for a step other than the implied one, and recorded. */
      override?: boolean;
    };
    DecideTaskRequest: {
      /**
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /** @enum {string} */
      decision: 'retry' | 'fail';
    };
    PrioritiseTaskRequest: {
      /**
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * @description Higher first, then oldest.
       * @example 10
       */
      priority: number;
    };
    RescheduleTaskRequest: {
      /**
       * @description Why, for the history.
       * @example The mail server is being moved
       */
      reason?: string;
      /**
       * Format: date-time
       * @description null: due now.
       */
      dueAt: string | null;
    };
    AmendTaskRequest: {
      /**
       * @description Why, for the history.
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
    OverruleTaskRequest: {
      /** @enum {string} */
      verdict: 'succeed' | 'fail' | 'requeue';
      /** @example The worker hangs; the mail was sent */
      reason: string;
    };
    ClaimRequest: {
      /** @example mailer-1 */
      worker: string;
      /** @description Defaults to the worker's name. */
      server?: string;
      /**
       * @description Tasks at most; 1 when absent.
       * @example 10
       */
      max?: number;
      /** @description How long to wait for a first task; 0 if absent. */
      waitMs?: number;
      /** @description The queue's policy says it when absent. */
      leaseMs?: number;
      /**
       * Format: uuid
       * @description The same claim under the same id is given the same tasks.
       */
      claimId?: string;
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
      /** @description A bearer secret: never log it. */
      token: string;
      /** Format: uuid */
      claimId: string;
      leaseMs: number;
      /**
       * Format: date-time
       * @description Another worker may be given the task after this.
       */
      deadline: string;
      payload: unknown;
      /** @description The step to run; null for a task without steps. */
      step: string | null;
      lastSuccessfulStep: string | null;
    };
    QueueConsumer: {
      worker: string;
      server: string;
      /** Format: uuid */
      taskId: string;
      /**
       * Format: date-time
       * @description When another one may take the queue over, unless the holder is heard of.
       */
      until: string;
    };
    ClaimRefusal: {
      /**
       * @description What to branch on.
       * @enum {string}
       */
      code: 'QUEUE_HELD' | 'QUEUE_CONFLICTED' | 'SERVER_FULL' | 'QUEUE_FULL';
      detail: string;
      /** @description With `QUEUE_HELD`: who works on the serial queue. */
      consumer?: components['schemas']['QueueConsumer'];
      /** @description How many run; with `QUEUE_CONFLICTED` the tasks that do. */
      running?: number | components['schemas']['TaskInHand'][];
    };
    ClaimResult: {
      /** @description Empty when none came in time. */
      tasks: components['schemas']['ClaimedTask'][];
      /**
       * @description Of the newest of the tasks' claims; null where there are none.
       * @example 4711
       */
      position: string | null;
      /** @description Why none were given, where that is not for want of tasks. */
      refusal?: components['schemas']['ClaimRefusal'];
    };
    LeaseProof: {
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    ExtendedLease: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      kind: 'extended';
      /** Format: date-time */
      deadline: string;
      /** @description The worker is asked to stop, and to confirm it. */
      cancelRequested: boolean;
    };
    LeaseRef: {
      /** Format: uuid */
      taskId: string;
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    ExtendBatch: {
      items: components['schemas']['LeaseRef'][];
    };
    LostLease: {
      /** Format: uuid */
      taskId: string;
      /** @enum {string} */
      kind: 'lost';
    };
    ExtendBatchResult: {
      /** @description One result each, in their order. */
      results: (components['schemas']['ExtendedLease'] | components['schemas']['LostLease'])[];
    };
    Success: {
      /**
       * @example {
       *       "messageId": "17"
       *     }
       */
      result?: unknown;
      /** @description Nothing had to be done. */
      noChange?: boolean;
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    Settlement: {
      /** @description A task's id or a queue's name. */
      id: string;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      revision: number;
      /** @description false: it was already done, and nothing was recorded. */
      recorded: boolean;
      /**
       * @description The state of the task after this.
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
    };
    ErrorReport: {
      /** @example The mailbox is full */
      message: string;
      /**
       * @description 'application' when absent.
       * @enum {string}
       */
      class?: 'business' | 'application' | 'transient' | 'bug';
      /** @description Its `stack`, where that is text, is cut at 8 KiB, and left out where the policy of the queue says `errorStacks: false`. */
      details?: unknown;
    };
    Failure: {
      error: components['schemas']['ErrorReport'];
      /** @description Never tried again, whatever the policy says. */
      final?: boolean;
      /** @description A wish for the delay of an automatic retry. */
      retryAfterMs?: number;
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    StepCompletion: {
      /** @example render */
      step: string;
      /**
       * @description Go on with the next step, or offer it to any worker.
       * @enum {string}
       */
      then: 'continue' | 'offer';
      result?: unknown;
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    ReportedError: {
      error: components['schemas']['ErrorReport'];
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
    };
    SucceedVerdict: {
      /**
       * @example {
       *       "messageId": "17"
       *     }
       */
      result?: unknown;
      /** @description Nothing had to be done. */
      noChange?: boolean;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'succeed';
    };
    FailVerdict: {
      error: components['schemas']['ErrorReport'];
      /** @description Never tried again, whatever the policy says. */
      final?: boolean;
      /** @description A wish for the delay of an automatic retry. */
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
       * @description Go on with the next step, or offer it to any worker.
       * @enum {string}
       */
      then: 'continue' | 'offer';
      result?: unknown;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      type: 'completeStep';
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
    SettleItem: {
      /** Format: uuid */
      taskId: string;
      /** @description As the claim was granted it: `<fencing number>.<secret>`. */
      token: string;
      verdict:
        | components['schemas']['SucceedVerdict']
        | components['schemas']['FailVerdict']
        | components['schemas']['CompleteStepVerdict']
        | components['schemas']['ReportErrorVerdict']
        | components['schemas']['ReturnVerdict']
        | components['schemas']['ConfirmCancelVerdict'];
    };
    SettleBatch: {
      items: components['schemas']['SettleItem'][];
    };
    SettleBatchResult: {
      /** @description One result each, in their order. */
      results: (components['schemas']['Settlement'] | components['schemas']['RefusedItem'])[];
      /**
       * @description The highest of the results; null where every item was refused.
       * @example 4711
       */
      position: string | null;
    };
    QueueStatsList: {
      items: components['schemas']['QueueStats'][];
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null;
    };
    WorkerView: {
      /** @example mailer-1 */
      name: string;
      /** @example host-7 */
      server: string;
      /**
       * @description `alive`: asked for tasks in the last minute, or holds a lease that is not overdue.
       * @enum {string}
       */
      state: 'alive' | 'gone';
      queues: string[];
      /** Format: date-time */
      firstSeenAt: string;
      /** Format: date-time */
      lastSeenAt: string;
      running: number;
      claimed: number;
      succeeded: number;
      failed: number;
      lost: number;
      returned: number;
    };
    WorkerList: {
      items: components['schemas']['WorkerView'][];
      /** @description Where the next page begins; null on the last one. */
      nextCursor: string | null;
    };
    ProjectionView: {
      /** @example queue-stats */
      name: string;
      version: number;
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
      /**
       * @description The position of the log's newest event.
       * @example 4711
       */
      head: string;
      /** @description The events between both; null with the events in EventStoreDB, whose positions do not count them. */
      lagEvents: number | null;
      /**
       * @description How long ago the oldest event was recorded that it has not yet taken; 0 when it has taken all.
       * @example 0.012
       */
      lagSeconds: number;
      /** @enum {string} */
      status: 'running' | 'stopped';
      /** @description Why it stopped. */
      error: string | null;
      /**
       * @description The event at which it stopped.
       * @example 4711
       */
      stoppedAt: string | null;
    };
    ProjectionList: {
      items: components['schemas']['ProjectionView'][];
    };
    TransactionCommand: {
      /**
       * @description The operation, by its id in this document.
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
        | 'reportError'
        | 'returnTask'
        | 'confirmCancel'
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
        | 'overruleTask'
        | 'deleteTask';
      /**
       * @description For `enqueueTask`, and every operation on a queue.
       * @example mail
       */
      queue?: string;
      /**
       * Format: uuid
       * @description The task, for every other operation.
       * @example 019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f
       */
      id?: string;
      /**
       * @description For `changePolicy`: the version of the policy as the caller knows it.
       * @example 3
       */
      ifVersion?: number;
      /**
       * @description The operation's body; for `deleteTask` its query parameters.
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
      /** @description The task's id, for an enqueue that of the one that answers for it; or the queue's name. */
      id: string;
      revision: number;
      /** @description false: it was already done, and nothing was recorded. */
      recorded: boolean;
    };
    TransactionReceipt: {
      /** @description One per command, in their order. */
      results: components['schemas']['TransactionResult'][];
      /**
       * @description A place in the log of all events.
       * @example 4711
       */
      position: string;
    };
    DatabaseCheck: {
      /** @enum {string} */
      status: 'up';
    };
    ProjectionsCheck: {
      /** @enum {string} */
      status: 'up' | 'degraded';
      /**
       * @description How many seconds each follower is behind, by its name: since the oldest event was recorded that it has not taken.
       * @example {
       *       "queue-stats": 0,
       *       "worker-roster": 0.012
       *     }
       */
      lagSeconds: {
        [key: string]: number;
      };
      /** @description The followers that stopped at an event they cannot read. */
      stopped?: string[];
    };
    ReadinessChecks: {
      database: components['schemas']['DatabaseCheck'];
      projections: components['schemas']['ProjectionsCheck'];
    };
    Readiness: {
      /**
       * @description 'degraded': it works, and somebody has to look.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
      };
      header?: never;
      path: {
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueView'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          /** @description The path of what was created. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DefinitionReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `QUEUES_WAIT_IN_CYCLE`: The queues would wait for each other. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
       *
       *     `PRESET_NOT_FOUND`: No such preset.
       *
       *     `KEY_FAILURE_NEEDS_LINE`: The policy contradicts itself.
       *
       *     `SCHEDULE_INVALID`: No such schedule.
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
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Why, for the history. */
        reason?: string;
      };
      header?: {
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /**
       * @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
        /** @description Items at most; 100 when absent. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
      };
      header?: never;
      path: {
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuePolicy'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
        /** @description The ETag of the policy as the caller knows it. */
        'If-Match': string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /**
       * @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue.
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
      /** @description `POLICY_VERSION_MISMATCH`: The policy was changed meanwhile. */
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
       *
       *     `KEY_FAILURE_NEEDS_LINE`: The policy contradicts itself.
       *
       *     `SCHEDULE_INVALID`: No such schedule.
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
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
  pauseQueue: {
    parameters: {
      query?: never;
      header?: {
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
       *
       *     `PAUSE_IN_THE_PAST`: The pause would be over already.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /**
       * @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `QUEUE_ILLEGAL_TRANSITION`: Not possible in the state of the queue. */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
      };
      header?: never;
      path: {
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueStats'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          /** @description The path of what was created. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnqueueResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /**
       * @description `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       *
       *     `QUEUE_FINISHED`: The queue is finished.
       *
       *     `INTAKE_CLOSED`: The queue takes no tasks in.
       *
       *     `TASK_EXISTS`: Another task has this id.
       *
       *     `KEY_ALREADY_WAITING`: A task of this key already waits.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
       *
       *     `KEY_REQUIRED`: A key is required.
       *
       *     `KIND_NOT_TAKEN`: The queue takes tasks of other kinds.
       *
       *     `SCHEDULE_INVALID`: No such schedule.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TaskBatch'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskBatchResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
  listTasks: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
        /** @description Items at most; 100 when absent. */
        limit?: number;
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
        /** @description `name:value`. */
        label?: string;
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
        /** @description Items at most; 100 when absent. */
        limit?: number;
      };
      header?: never;
      path: {
        queue: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskPage'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskDetails'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Why, for the history. */
        reason?: string;
        /** @description Delete a running task, too. */
        force?: boolean;
      };
      header?: {
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
  getTaskExplanation: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TaskExplanation'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       *
       *     `KEY_ALREADY_WAITING`: A task of this key already waits.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       *
       *     `FAILURE_IS_FINAL`: The failure is final.
       *
       *     `KEY_ALREADY_WAITING`: A task of this key already waits.
       *
       *     `RETRY_STEP_NEEDS_OVERRIDE`: Another step is implied.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
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
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       *
       *     `KEY_ALREADY_WAITING`: A task of this key already waits.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Receipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `COMMAND_NOT_OFFERED`: Not offered by the queue's preset.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request.
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
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
  claimTasks: {
    parameters: {
      query?: never;
      header?: {
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
      };
      path: {
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `BODY_TOO_LARGE`: The body is too large. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `CLAIM_ID_REUSED`: The claim id belongs to another claim. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
          'application/json': components['schemas']['ExtendedLease'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /** @description `LEASE_LOST`: The claim is over. */
      409: {
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExtendBatch'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExtendBatchResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `STEP_OUT_OF_ORDER`: Not the turn of this step.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `STEP_UNKNOWN`: No such step. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
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
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `LEASE_LOST`: The claim is over.
       *
       *     `CANCEL_NOT_REQUESTED`: Nobody asked for the cancellation.
       */
      409: {
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
       *     `EVENT_TOO_LARGE`: The content is too large.
       */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SettleBatch'];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SettleBatchResult'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
        /** @description Go on after this position; from the first when absent. */
        after?: string;
        /** @description Begin with what was recorded so long ago, at this time, or from `now` on; not with `after`. */
        since?: string | 'now' | unknown | unknown;
        /** @description Events of this queue and of its tasks. */
        queue?: string;
        /** @description Events of this task. */
        task?: string;
        /** @description `consumer`: who took a serial queue, and took it over. */
        category?: 'task' | 'queue' | 'consumer';
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskPayloadAmended'
          | 'TaskDeleted'
          | 'TaskOverruled'
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
          | 'QueueLateReportRefused';
        /** @description What this one did. */
        actor?: string;
        /** @description Events at most; all to the head when absent. */
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
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
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
  followEvents: {
    parameters: {
      query?: {
        /** @description Go on after this position; from the first when absent. */
        after?: string;
        /** @description Begin with what was recorded so long ago, at this time, or from `now` on; not with `after`. */
        since?: string | 'now' | unknown | unknown;
        /** @description Events of this queue and of its tasks. */
        queue?: string;
        /** @description Events of this task. */
        task?: string;
        /** @description `consumer`: who took a serial queue, and took it over. */
        category?: 'task' | 'queue' | 'consumer';
        type?:
          | 'TaskPrepared'
          | 'TaskEnqueued'
          | 'TaskEnqueueRejected'
          | 'TaskSubmitted'
          | 'TaskHeld'
          | 'TaskReleased'
          | 'TaskClaimed'
          | 'TaskStepCompleted'
          | 'TaskErrorReported'
          | 'TaskAttemptFailed'
          | 'TaskRetryScheduled'
          | 'TaskDecisionRequested'
          | 'TaskFailed'
          | 'TaskRetried'
          | 'TaskSucceeded'
          | 'TaskLeaseExpired'
          | 'TaskReturned'
          | 'TaskCancelRequested'
          | 'TaskCancelled'
          | 'TaskCancelConfirmed'
          | 'TaskAborted'
          | 'TaskSuperseded'
          | 'TaskReprioritised'
          | 'TaskRescheduled'
          | 'TaskPayloadAmended'
          | 'TaskDeleted'
          | 'TaskOverruled'
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
          | 'QueueLateReportRefused';
        /** @description What this one did. */
        actor?: string;
      };
      header?: {
        /** @description Go on after this position; goes before `after` and `since`. */
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
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
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
  listQueueStats: {
    parameters: {
      query?: {
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
        /** @description Items at most; 100 when absent. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueueStatsList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Answer from a state at least as new as this position, the one a command answered with. */
        minPosition?: string;
        /** @description The `nextCursor` of the page before. */
        cursor?: string;
        /** @description Items at most; 100 when absent. */
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WorkerList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
          /** @description The position that the answer reflects at least. */
          'X-As-Of-Position'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ProjectionList'];
        };
      };
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
       *
       *     `PROJECTION_BEHIND`: The answer is not up to date yet.
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
        /** @description Who acts, in the history; 'anonymous' when absent. */
        'Waybill-Actor'?: string;
        /** @description The same request under the same key is carried out once. */
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
          /** @description 'true' where an Idempotency-Key repeated an earlier answer. */
          'Idempotent-Replayed'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionReceipt'];
        };
      };
      /**
       * @description `INVALID_INPUT`: The request is not acceptable.
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
      /** @description `FORBIDDEN`: That is not allowed. */
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
      /**
       * @description `ILLEGAL_TRANSITION`: Not possible in the state of the task.
       *
       *     `KEY_ALREADY_WAITING`: A task of this key already waits.
       *
       *     `REFERENCE_IN_USE`: Another task has this reference.
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
      /**
       * @description `BODY_TOO_LARGE`: The body is too large.
       *
       *     `EVENT_TOO_LARGE`: The content is too large.
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
      /** @description `UNSUPPORTED_MEDIA_TYPE`: The body is of another type than JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `IDEMPOTENCY_KEY_REUSED`: The idempotency key belongs to another request. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
       *
       *     `SHUTTING_DOWN`: The service is stopping.
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
      /** @description It does. */
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
      /** @description It can. */
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
      /** @description `INVALID_INPUT`: The request is not acceptable. */
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
      /** @description `FORBIDDEN`: That is not allowed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `HOST_NOT_SERVED`: The service has no such name. */
      421: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `TOO_MANY_REFUSED_KEYS`: Too many API keys were refused. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description `INTERNAL_ERROR`: Something went wrong on our side. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /**
       * @description `STORE_UNAVAILABLE`: The store cannot be reached.
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
