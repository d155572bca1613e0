import { describe, expect, it } from '@jest/globals';
import { commandsOfPeople, notOffered } from '../../../src/application/tasks/offers.js';
import { DEFAULT_POLICY, type OfferedCommand, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';

const offering = (...commands: OfferedCommand[]): QueuePolicy => ({ ...DEFAULT_POLICY, commands });

describe('a command that the queue offers', () => {
  it.each(['failed', 'cancelled', 'running', 'unknown'] as const)(
    'without states is offered in every state: %s',
    (status) => {
      expect(notOffered('RetryTask', offering('RetryTask'), { status })).toBeNull();
    },
  );

  it('in some states is offered in these', () => {
    const policy = offering({ command: 'RetryTask', in: ['failed'] });
    expect(notOffered('RetryTask', policy, { status: 'failed' })).toBeNull();
  });

  it('in some states is refused in the others, with the commands that these offer', () => {
    const policy = offering(
      'AbortTask',
      { command: 'RetryTask', in: ['failed'] },
      { command: 'DeleteTask', in: ['cancelled'] },
    );
    expect(notOffered('RetryTask', policy, { status: 'cancelled' })).toEqual({
      code: 'COMMAND_NOT_OFFERED',
      command: 'RetryTask',
      state: 'cancelled',
      preset: null,
      offered: ['AbortTask', 'DeleteTask'],
    });
  });

  it("in some states is left to the tasks' rules if it records nothing, because they recognise a repetition", () => {
    const policy = offering({ command: 'AbortTask', in: ['failed'] });
    expect(notOffered('AbortTask', policy, { status: 'aborted' })).toBeNull();
    expect(notOffered('AbortTask', policy, { status: 'pending' })).not.toBeNull();
  });

  it('in some states is refused for a task that does not exist yet', () => {
    const policy = offering('EnqueueTask', { command: 'HoldTask', in: ['pending'] });
    expect(notOffered('HoldTask', policy, { status: 'unknown' })).toMatchObject({
      state: null,
      offered: ['EnqueueTask'],
    });
  });
});

describe('a command that the queue does not offer', () => {
  it('is refused in every state, even if it would record nothing', () => {
    for (const status of ['failed', 'aborted', 'unknown'] as const)
      expect(notOffered('AbortTask', offering('RetryTask'), { status })).not.toBeNull();
  });

  it("is refused with the name of the state in the preset's words", () => {
    const vocabulary = { failed: 'FAILED' } as QueuePolicy['vocabulary'];
    const policy = { ...offering('DecideRetry'), preset: 'cluster-tasks', vocabulary };
    expect(notOffered('RetryTask', policy, { status: 'failed' })).toMatchObject({
      state: 'FAILED',
      preset: 'cluster-tasks',
    });
  });
});

describe('the commands of people', () => {
  it('are all that the rules allow if the queue offers all', () => {
    expect(commandsOfPeople('held', {}, DEFAULT_POLICY)).toContain('ReleaseTask');
  });

  it('are those that the queue offers in the state', () => {
    const policy = offering(
      'AbortTask',
      { command: 'RetryTask', in: ['failed'] },
      { command: 'DeleteTask', in: ['held'] },
    );
    expect(commandsOfPeople('failed', {}, policy)).toEqual(['RetryTask', 'AbortTask']);
    expect(commandsOfPeople('cancelled', {}, policy)).toEqual(['AbortTask']);
    expect(commandsOfPeople('failed', { isFinal: true }, policy)).toEqual(['AbortTask']);
  });

  it('are only to delete it once what it was about is erased', () => {
    expect(commandsOfPeople('cancelled', { isErased: true }, DEFAULT_POLICY)).toEqual(['DeleteTask']);
  });
});
