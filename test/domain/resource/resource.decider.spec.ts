import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { type ResourceCommand, resourceDecider } from '../../../src/domain/resource/resource.decider.js';
import type { ResourceDefinition, ResourceEvent } from '../../../src/domain/resource/resource.events.js';

const resource = 'storage';
const [by, at] = ['ann', '2026-03-01T02:00:00.000Z'];
const definition: ResourceDefinition = { description: '', unit: '%', staleAfterSeconds: 60 };
const limits = [70, 80];

const defined: ResourceEvent = { type: 'ResourceDefined', version: 1, data: { resource, definition, by, at } };
const deleted: ResourceEvent = { type: 'ResourceDeleted', version: 1, data: { resource, by, at } };
const free = (value: number, crossed: readonly number[]): ResourceEvent => ({
  type: 'ResourceFree',
  version: 1,
  data: { resource, value, limits: crossed, at },
});
const short = (value: number | null, crossed: readonly number[]): ResourceEvent => ({
  type: 'ResourceShort',
  version: 1,
  data: { resource, value, limits: crossed, at },
});

const define: ResourceCommand = { type: 'DefineResource', resource, definition, by, now: at };
const remove: ResourceCommand = { type: 'DeleteResource', resource, by, now: at };
const stale: ResourceCommand = { type: 'RecordStaleness', resource, limits, now: at };
const measure = (value: number, wasStale = false): ResourceCommand => ({
  type: 'RecordMeasure',
  resource,
  value,
  wasStale,
  limits,
  now: at,
});

const given = (...history: readonly ResourceEvent[]) => ({
  when: (command: ResourceCommand) => resourceDecider.decide(command, fold(resourceDecider, history)),
});
const recorded = (...events: readonly ResourceEvent[]) => ({ kind: 'accepted', events });
const NOT_FOUND = { kind: 'rejected', rejection: { code: 'RESOURCE_NOT_FOUND', resource } };
const DONE = { kind: 'alreadyDone' };

describe('a resource', () => {
  it.each([
    ['is defined', [], define, recorded(defined)],
    ['is defined again after its deletion', [defined, deleted], define, recorded(defined)],
    ['stays as it is if it is defined alike', [defined], define, DONE],
    ['is deleted', [defined], remove, recorded(deleted)],
    ['is deleted once', [defined, deleted], remove, DONE],
    ['is not deleted before it exists', [], remove, NOT_FOUND],
    ['is not measured before it exists', [], measure(10), NOT_FOUND],
    ['is not measured after its deletion', [defined, deleted], measure(10), NOT_FOUND],
    ['is short until its gauge is below a limit', [defined], measure(90), DONE],
    ['is free of the limits that its first measure is below', [defined], measure(75), recorded(free(75, [80]))],
    ['records no measure that crosses no limit', [defined, free(60, limits)], measure(69.9), DONE],
    ['is short of a limit that its gauge reaches', [defined, free(60, limits)], measure(70), recorded(short(70, [70]))],
    ['falls short of every limit at once', [defined, free(60, limits)], measure(95), recorded(short(95, limits))],
    [
      'is free of one limit before the other',
      [defined, free(60, limits), short(95, limits)],
      measure(79),
      recorded(free(79, [80])),
    ],
    [
      'is short of all that it was free of once its measure is too old',
      [defined, free(75, [80])],
      stale,
      recorded(short(null, [80])),
    ],
    ['is known to be stale once', [defined, free(75, [80]), short(null, [80])], stale, DONE],
    [
      'records what nobody noticed between two measures',
      [defined, free(60, limits)],
      measure(60, true),
      recorded(short(null, limits), free(60, limits)),
    ],
    ['has nothing to record of a first measure above all limits', [defined], measure(95, true), DONE],
  ] as const)('%s', (_, history, command, decision) => {
    expect(given(...history).when(command)).toEqual(decision);
  });

  it('keeps its level when its definition changes', () => {
    const changed: ResourceEvent = {
      ...defined,
      data: { ...defined.data, definition: { ...definition, unit: 'GB' } },
    } as ResourceEvent;
    expect(given(defined, free(60, limits), changed).when(measure(61))).toEqual(DONE);
  });

  it('throws on a stream that begins with a crossing, which no program writes', () => {
    expect(() => fold(resourceDecider, [free(60, limits)])).toThrow('to be defined before');
  });
});
