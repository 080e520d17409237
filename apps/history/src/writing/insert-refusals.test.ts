import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { aRefusal, useTables } from '../history.test-support.js';

const tables = useTables();

it('writes a refused request that names a function no index can take', async () => {
  const functions = ['coin::mint', `${randomBytes(4_096).toString('hex')}::mint`];
  const calls = functions.map((name) => `MoveCall 0x2::${name}`);
  const refusal = aRefusal(Date.now(), { token: 'shop' }, calls);
  expect(await tables.refuse([refusal])).toBe(1);
  const { rows } = await tables.database.pool.query(
    'SELECT f.module FROM refusal_functions r JOIN functions f ON f.id = r.function WHERE r.token = $1',
    ['shop'],
  );
  expect(rows).toEqual([{ module: 'coin' }]);
});
