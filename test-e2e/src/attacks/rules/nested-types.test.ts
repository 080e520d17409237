import { beforeAll, describe, expect, it } from '@jest/globals';
import { readClock } from '../../support/application.js';
import { DENIED } from '../attacker.js';
import { attacker, setRules } from './attacked-rules.js';

const TOKEN = '0xdec0::token::TOKEN';

describe('a rule that denies a type', () => {
  beforeAll(() => setRules(`    - type-argument: '${TOKEN}'\n      action: deny`, 'allow-all'));

  it.each([TOKEN, `0x2::coin::Coin<${TOKEN}>`, `vector<0x2::coin::Coin<${TOKEN}>>`])(
    'matches it as an argument of a call and as the element of a vector: %s',
    async (type) => {
      const asArgument = await attacker.attempt((tx) => {
        tx.moveCall({ target: '0x2::coin::zero', typeArguments: [type] });
      });
      expect(asArgument).toEqual(DENIED);
      const asElement = await attacker.attempt((tx) => {
        tx.makeMoveVec({ type, elements: [] });
        readClock(tx);
      });
      expect(asElement).toEqual(DENIED);
    },
  );

  it('does not match other types', async () => {
    const answer = await attacker.attempt((tx) => {
      tx.makeMoveVec({ type: '0x2::coin::Coin<0x2::iota::IOTA>', elements: [] });
      readClock(tx);
    });
    expect(answer).toMatchObject({ status: 200 });
  });
});

describe('a rule that allows kinds of commands', () => {
  it('allows no transaction without commands', async () => {
    await setRules('    - command-kind: [MoveCall]\n      action: allow');
    expect(await attacker.attempt(() => undefined)).toEqual(DENIED);
    expect(await attacker.attempt(readClock)).toMatchObject({ status: 200 });
  });
});
