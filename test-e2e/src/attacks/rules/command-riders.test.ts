import { describe, expect, it } from '@jest/globals';
import { readClock } from '../../support/application.js';
import { buildCar } from '../../support/ledger-user.js';
import { DENIED, publishPackage } from '../attacker.js';
import { attacker, setRules } from './attacked-rules.js';

const IOTA = '0x2::iota::IOTA';

describe('a rule that allows by objects', () => {
  it('sponsors transactions that use them, but no package or other call in the same transaction', async () => {
    await setRules(`    - object-id: '0x6'\n      action: allow`);
    expect(await attacker.attempt(readClock)).toMatchObject({ status: 200 });
    const riders = [
      (tx: Parameters<typeof readClock>[0]) => publishPackage(tx, attacker.address),
      (tx: Parameters<typeof readClock>[0]) => buildCar(tx, 'Mini', attacker.address),
    ];
    for (const addCommand of riders) {
      const withMore = (tx: Parameters<typeof readClock>[0]) => {
        readClock(tx);
        addCommand(tx);
      };
      expect(await attacker.attempt(withMore)).toEqual(DENIED);
    }
  });
});

describe('a rule that allows by type arguments', () => {
  it('sponsors calls with these types, but no package or untyped call in the same transaction', async () => {
    await setRules(`    - type-argument: '${IOTA}'\n      action: allow`);
    const readValue = (tx: Parameters<typeof readClock>[0]) => {
      const target = '0x2::coin::value';
      tx.moveCall({ target, typeArguments: [IOTA], arguments: [tx.object(attacker.coin)] });
    };
    expect(await attacker.attempt(readValue)).toMatchObject({ status: 200 });
    const withPackage = await attacker.attempt((tx) => {
      readValue(tx);
      publishPackage(tx, attacker.address);
    });
    expect(withPackage).toEqual(DENIED);
    const withUntyped = await attacker.attempt((tx) => {
      readValue(tx);
      buildCar(tx, 'Mini', attacker.address);
    });
    expect(withUntyped).toEqual(DENIED);
  });
});

describe('a rule that does not mention commands', () => {
  it('sponsors no package, unless it names Publish', async () => {
    const publish = (tx: Parameters<typeof readClock>[0]) => publishPackage(tx, attacker.address);
    await setRules(`    - sender-address: '*'\n      action: allow`);
    expect(await attacker.attempt(publish)).toEqual(DENIED);
    await setRules(
      `    - command-kind: [Publish, TransferObjects]\n      sender-address: '*'\n      action: allow`,
    );
    expect(await attacker.attempt(publish)).toMatchObject({ status: 200 });
  });
});
