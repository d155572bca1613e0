import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import { MOST_VIEWS, type ViewCommand, viewDecider, type ViewState } from '../../../src/domain/view/view.decider.js';

const GIVEN = { view: 'late', now: '2026-03-01T10:00:00.000Z', by: 'ann' };
const definition = { q: 'state:failed since:2h', overdue: false, sort: null };
const save: ViewCommand = { ...GIVEN, type: 'SaveView', definition, others: 0 };
const remove: ViewCommand = { ...GIVEN, type: 'DeleteView', by: 'bob' };

/** The state after the commands, each of which must be accepted. */
function after(...commands: readonly ViewCommand[]): ViewState {
  return commands.reduce<ViewState>((state, command) => {
    const decision = viewDecider.decide(command, state);
    if (decision.kind !== 'accepted') throw new Error(`Expected '${command.type}' to be accepted`);
    return fold(viewDecider, decision.events, state);
  }, viewDecider.initialState);
}

const decided = (command: ViewCommand, state: ViewState) => viewDecider.decide(command, state);

describe('a view', () => {
  it('is saved with what it shows and who saved it', () => {
    const data = { view: 'late', definition, by: 'ann', at: GIVEN.now };
    expect(decided(save, after())).toEqual({ kind: 'accepted', events: [{ type: 'ViewSaved', version: 1, data }] });
  });

  it('is saved once, and again if it shows something else', () => {
    expect(decided(save, after(save))).toEqual({ kind: 'alreadyDone' });
    const other: ViewCommand = { ...save, definition: { ...definition, sort: 'deadline' } };
    expect(decided(other, after(save))).toMatchObject({ events: [{ data: { definition: { sort: 'deadline' } } }] });
  });

  it('is deleted once, can be saved anew, and is refused if it never was', () => {
    expect(decided(remove, after(save))).toMatchObject({ events: [{ type: 'ViewDeleted', data: { by: 'bob' } }] });
    expect(decided(remove, after(save, remove))).toEqual({ kind: 'alreadyDone' });
    expect(decided(save, after(save, remove))).toMatchObject({ events: [{ type: 'ViewSaved' }] });
    const rejection = { code: 'VIEW_NOT_FOUND', view: 'late' };
    expect(decided(remove, after())).toEqual({ kind: 'rejected', rejection });
  });

  it.each([after(), after(save, remove)])('is refused as a new one beside as many as there may be: %j', (state) => {
    const rejection = { code: 'TOO_MANY_VIEWS', most: MOST_VIEWS };
    expect(decided({ ...save, others: MOST_VIEWS }, state)).toEqual({ kind: 'rejected', rejection });
    expect(decided({ ...save, others: MOST_VIEWS - 1 }, state)).toMatchObject({ kind: 'accepted' });
  });

  it('can be changed and deleted when there are as many as there may be', () => {
    const other = { ...save, others: MOST_VIEWS, definition: { ...definition, q: '' } };
    expect(decided(other, after(save))).toMatchObject({ kind: 'accepted' });
    expect(decided(remove, after(save))).toMatchObject({ kind: 'accepted' });
  });
});
