import { describe, expect, it } from '@jest/globals';
import { buildCar } from '../../support/ledger-user.js';
import { DENIED, giveCoinAway, publishPackage } from '../attacker.js';
import { attacker, setRules } from './attacked-rules.js';

const allow = (expression: string) =>
  setRules(`    - expression: '${expression}'\n      action: allow`);
const build = (tx: Parameters<typeof buildCar>[0]) => buildCar(tx, 'Mini', attacker.address);

describe('an expression about all calls', () => {
  it('does not allow a transaction without calls', async () => {
    await allow('tx.calls.all(c, c.module == "garage")');
    expect(await attacker.attempt((tx) => publishPackage(tx, attacker.address))).toEqual(DENIED);
    const split = await attacker.attempt((tx) => giveCoinAway(tx, attacker.coin, '0xb0b'));
    expect(split).toEqual(DENIED);
    expect(await attacker.attempt(build)).toMatchObject({ status: 200 });
  });

  it('allows only transactions of calls with onlyCalls', async () => {
    await allow('onlyCalls(tx, ["0xdec0::garage::*"])');
    expect(await attacker.attempt(build)).toMatchObject({ status: 200 });
    const withRider = await attacker.attempt((tx) => {
      build(tx);
      giveCoinAway(tx, attacker.coin, '0xb0b');
    });
    expect(withRider).toEqual(DENIED);
  });
});
