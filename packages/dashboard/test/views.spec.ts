import { expect, it } from '@jest/globals';
import { viewsIn } from '../src/tasks/views.js';

it('reads the views that it has kept', () => {
  const view = { name: 'night', q: 'state:failed since:8h' };
  expect(viewsIn(JSON.stringify([view]))).toEqual([view]);
});

it.each(['', '{', 'null', '{"name":"night"}', '[1,null,{"q":"x"}]'])('reads none of %j', (text) =>
  expect(viewsIn(text)).toEqual([]),
);
