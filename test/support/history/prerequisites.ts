import { idOf, ignoresAbort } from '../../../src/domain/task/prerequisites.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { Graph } from './graph.js';
import { isOfTask, type Log, type TaskRecord, type Violation, violation } from './history.js';

/** I13: what a task waits for is done before it is claimed, is kept until then, never waits for the task, and takes the task with it. */
export function* prerequisiteViolations(log: Log): Generator<Violation> {
  const graph = new Graph();
  const aborts = new Map<string, TaskRecord>();
  for (const recorded of log.events) {
    if (isOfTask(recorded)) yield* claimedTooEarly(recorded, graph);
    if (isOfTask(recorded)) yield* deletedTooEarly(recorded, graph);
    graph.take(recorded);
    if (!isOfTask(recorded)) continue;
    yield* waitsForItself(recorded, graph);
    yield* abortedTwice(recorded, aborts);
  }
  for (const task of graph.taskIds()) yield* leftBehind(task, graph, log);
}

function* claimedTooEarly(recorded: TaskRecord, graph: Graph): Generator<Violation> {
  if (recorded.event.type !== 'TaskClaimed') return;
  const task = taskIdOf(recorded.stream);
  for (const one of graph.openNeeds(task)) {
    const says = `Expected '${idOf(one)}' to be done before '${task}' is claimed, but it is ${graph.stateOf(idOf(one))}`;
    yield violation('I13', says, recorded);
  }
}

/** A task of a deleted batch is deleted with all that waits for it. */
function* deletedTooEarly(recorded: TaskRecord, graph: Graph): Generator<Violation> {
  if (recorded.event.type !== 'TaskDeleted') return;
  const task = taskIdOf(recorded.stream);
  const awaiting = [...graph.taskIds()].find(
    (one) => !graph.hasEnded(one) && !isDeletedWithBatch(one, graph) && graph.waitsFor(one).includes(task),
  );
  if (awaiting)
    yield violation(
      'I13',
      `Expected task '${task}' to be kept while '${awaiting}' needs it, but it is deleted`,
      recorded,
    );
}

const isDeletedWithBatch = (task: string, graph: Graph): boolean =>
  graph.stateOf(graph.batchOf(task) ?? '') === 'deleted';

const LINKS = new Set(['TaskEnqueued', 'TaskPrepared', 'TaskPrerequisitesChanged']);

/** Whatever waits for the task's batch waits for the task. */
function* waitsForItself(recorded: TaskRecord, graph: Graph): Generator<Violation> {
  const task = taskIdOf(recorded.stream);
  if (!LINKS.has(recorded.event.type) || graph.openNeeds(task).length === 0) return;
  const seen = new Set(graph.waitsFor(task));
  for (const id of seen) for (const next of graph.waitsFor(id)) seen.add(next);
  if (seen.has(task) || seen.has(graph.batchOf(task) ?? ''))
    yield violation('I13', `Expected task '${task}' to wait for others, but it waits for itself`, recorded);
}

function* abortedTwice(recorded: TaskRecord, aborts: Map<string, TaskRecord>): Generator<Violation> {
  if (recorded.event.type !== 'TaskAborted') return;
  const { stream } = recorded;
  if (aborts.has(stream))
    yield violation('I13', `Expected '${stream}' to be aborted once`, aborts.get(stream), recorded);
  aborts.set(stream, recorded);
}

/** The run is over, so what waited for an aborted task or batch has been aborted as well. */
function* leftBehind(task: string, graph: Graph, log: Log): Generator<Violation> {
  if (graph.hasEnded(task)) return;
  const aborted = graph.openNeeds(task).find((one) => !ignoresAbort(one) && graph.stateOf(idOf(one)) === 'aborted');
  if (!aborted) return;
  const says = `Expected '${task}' to be aborted with '${idOf(aborted)}', but it is ${graph.stateOf(task)}`;
  yield violation('I13', says, ...(log.tasks.get(task) ?? []));
}
