// The program that the driver asks for calls of the TypeScript client. Its argument is the module of the client.
const { createWaybill, steps, Stopped, WaybillError, WaybillUnavailable, TaskFailed, TaskNotEnded } = await import(
  process.argv[2] ?? '@waybill/client'
);

const driver = process.env.CONFORMANCE_URL;

/** One for each case, which remembers what it has written. */
const clients = new Map();

/** At most one at a time. */
let worker = null;

function clientOf({ url, client: { actor, apiKey, attempts, baseMs } }) {
  const retry = { ...(attempts && { attempts }), ...(baseMs && { baseMs }) };
  const made = clients.get(url) ?? createWaybill({ url, actor, apiKey, retry });
  clients.set(url, made);
  return made;
}

function handlerOf(data) {
  if (data.steps)
    return steps(Object.fromEntries(Object.entries(data.steps).map(([name, each]) => [name, handlerOf(each)])));
  return async (task, run) => {
    if ('return' in data) return data.return === '$payload' ? task.payload : data.return;
    if (data.raise) throw new Error(data.raise);
    if (data.fail) return run.fail(data.fail.class, data.fail.message, { final: data.fail.final });
    if (data.retryLaterMs) return run.retryLater(data.retryLaterMs);
    if (data.postponeMs) return run.postpone(data.postponeMs);
    const until = [run.signal, ...('untilWindDown' in data ? [run.windDown] : [])];
    await new Promise((resolve) =>
      until.forEach((signal) => (signal.aborted ? resolve() : signal.addEventListener('abort', resolve))),
    );
    run.signal.throwIfAborted();
    return data.untilWindDown;
  };
}

const CALLS = {
  enqueue: async (waybill, { queue, payload, options }) => {
    const { id, status } = await waybill.queue(queue).enqueue(payload, options);
    return { id, status };
  },
  enqueueMany: async (waybill, { queue, tasks }) =>
    (await waybill.queue(queue).enqueueMany(tasks)).map((each) =>
      'problem' in each ? { code: each.problem.code } : { id: each.id },
    ),
  list: async (waybill, { queue }) => {
    const ids = [];
    for await (const task of waybill.tasks.list({ queue })) ids.push(task.id);
    return ids;
  },
  get: async (waybill, { task }) => (await waybill.task(task).get()).state,
  cancel: async (waybill, { task, reason }) => (await waybill.task(task).cancel({ reason })).state ?? null,
  result: (waybill, { task, timeoutMs }) => waybill.task(task).result({ timeoutMs }),
  callFunction: (waybill, { queue, kind, arguments: args, function: data }) =>
    waybill.functions({ queue }).task(kind, (id, run, ...given) => handlerOf(data)({ payload: given }, run))(...args),
  applyFunction: async (waybill, { queue, kind, arguments: args, options, at }) => {
    const call = waybill.functions({ queue }).task(kind, () => null);
    const { id } = await (at ? call.defer(at, args, options) : call.apply(args, options));
    return { id };
  },
  submitBatch: async (waybill, { id, name, tasks }) => {
    const plan = waybill.planBatch({ id, name });
    const planned = [];
    for (const { queue, payload, options, after } of tasks)
      planned.push(plan.add(queue, payload, { ...options, after: after.map((number) => planned[number]) }));
    return { id: (await plan.submit()).id };
  },
  defineResource: async (waybill, { resource, definition }) => {
    await waybill.resources.define(resource, definition);
    return null;
  },
  measureResource: async (waybill, { resource, value }) => {
    await waybill.resources.measure(resource, value);
    return null;
  },
  startWorker: async (waybill, { handlers, name, concurrency, leaseMs, graceMs }) => {
    worker = waybill.worker({ name, concurrency, leaseMs, graceMs, logger: null });
    for (const [queue, handler] of Object.entries(handlers)) worker.handle(queue, handlerOf(handler));
    await worker.start();
    return null;
  },
  stopWorker: async () => {
    const { returned, abandoned } = await worker.stop();
    return { returned, abandoned: abandoned.map(({ taskId }) => taskId) };
  },
};

function wordsOf(error) {
  if (error instanceof WaybillError) return { kind: 'refused', code: error.code, status: error.status };
  if (error instanceof WaybillUnavailable) return { kind: 'unavailable', outcome: error.outcome };
  if (error instanceof TaskFailed) return { kind: 'failed', state: error.task.state };
  if (error instanceof TaskNotEnded) return { kind: 'not-ended', state: error.task.state };
  if (error instanceof Stopped) return { kind: 'stopped', reason: error.reason };
  return { kind: 'raised', message: error.message };
}

const saidTo = (order) =>
  CALLS[order.call](clientOf(order), order.with).then(
    (answer) => ({ answer }),
    (error) => ({ error: wordsOf(error) }),
  );

for (;;) {
  const asked = await fetch(`${driver}/next`);
  if (asked.status === 204) break;
  const order = await asked.json();
  const body = JSON.stringify(await saidTo(order));
  await fetch(`${driver}/answers/${order.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}
