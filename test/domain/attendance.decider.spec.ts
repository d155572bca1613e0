import { describe, it } from '@jest/globals';
import { attendanceDecider } from '../../src/domain/attendance/attendance.decider.js';
import type { AttendanceEvent } from '../../src/domain/attendance/attendance.events.js';
import { buildDecider, MOST_BUILDS } from '../../src/domain/build/build.decider.js';
import type { BuildEvent } from '../../src/domain/build/build.events.js';
import { specFor } from '../support/decider-spec.js';

const given = specFor(attendanceDecider);
const givenBuilds = specFor(buildDecider);

const since = '2026-03-01T10:00:00.000Z';
const absence = { type: 'RecordAbsence', queue: 'mail', since } as const;
const presence = { type: 'RecordPresence', queue: 'mail', worker: 'w1' } as const;
const unattended: AttendanceEvent = { type: 'QueueUnattended', version: 1, data: { queue: 'mail', since } };
const attended: AttendanceEvent = { type: 'QueueAttended', version: 1, data: { queue: 'mail', worker: 'w1' } };

describe('the attendance of a queue', () => {
  it('is recorded at each crossing, once', () => {
    given().when(absence).then(unattended);
    given(unattended).when(absence).thenNothing();
    given(unattended).when(presence).then(attended);
    given(unattended, attended).when(presence).thenNothing();
    given(unattended, attended).when(absence).then(unattended);
  });

  it('says nothing of a queue that always had workers', () => {
    given().when(presence).thenNothing();
  });
});

const work = (build: string) => ({ queue: 'mail', build, worker: 'w1', server: 's1' });
const began = (build: string): BuildEvent => ({ type: 'BuildBegan', version: 1, data: work(build) });

describe('the builds of a queue', () => {
  it('begin once each, also if an earlier one returns', () => {
    givenBuilds().when(work('1.0')).then(began('1.0'));
    givenBuilds(began('1.0')).when(work('1.1')).then(began('1.1'));
    givenBuilds(began('1.0'), began('1.1')).when(work('1.0')).thenNothing();
  });

  it('are bounded, because workers choose their names', () => {
    const many = Array.from({ length: MOST_BUILDS }, (_, at) => began(`0.${at}`));
    givenBuilds(...many)
      .when(work('1.0'))
      .thenNothing();
  });
});
