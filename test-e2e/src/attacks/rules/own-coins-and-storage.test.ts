import { describe, expect, it } from '@jest/globals';
import { buildCar } from '../../support/ledger-user.js';
import { DENIED, giveCoinAway } from '../attacker.js';
import { system } from '../../support/systems/rules-system.js';
import { attacker, setRules } from './attacked-rules.js';

const FUNCTION = "    - move-call-function: '0xdec0::garage::build_car'\n";
const build = (tx: Parameters<typeof buildCar>[0]) => buildCar(tx, 'Mini', attacker.address);

describe('a rule for one function', () => {
  it('does not sponsor operations on the user’s own coins in the same transaction, unless it says so', async () => {
    const withRider = (tx: Parameters<typeof buildCar>[0]) => {
      build(tx);
      giveCoinAway(tx, attacker.coin, '0xb0b');
    };
    await setRules(`${FUNCTION}      action: allow`);
    expect(await attacker.attempt(withRider)).toEqual(DENIED);
    expect(await attacker.attempt(build)).toMatchObject({ status: 200 });
    await setRules(
      `${FUNCTION}      command-kind: [MoveCall, SplitCoins, TransferObjects]\n      action: allow`,
    );
    expect(await attacker.attempt(withRider)).toMatchObject({ status: 200 });
  });

  it('sponsors storage up to its limit on gas and no further', async () => {
    await setRules(
      `${FUNCTION}      gas-usage: { value: '<=0.0551 IOTA', window: 1 day, count-by: [sender-address] }\n      action: allow`,
    );
    const attempts = [];
    for (let i = 0; i < 4; i++) attempts.push(await attacker.attempt(build));
    const statuses = attempts.map(({ status }) => status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is named in the log when it has no limit on gas', async () => {
    const [gateway] = system.services('gateway');
    const before = (await gateway!.log()).length;
    await setRules(`${FUNCTION}      action: allow`);
    await system.until(async () =>
      (await gateway!.log()).slice(before).includes('rule at line 4: it has no limit on gas'),
    );
  });
});
