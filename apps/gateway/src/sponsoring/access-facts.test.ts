import type { DecodedTransaction, Ledger } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import { AccessFacts } from './access-facts.js';
import type { LedgerChecks } from './ledger-checks.js';

const ledger = {
  transactionJson: () => ({}),
  readArguments: () => Promise.resolve(() => []),
} as unknown as Ledger;
const large = { bytes: new Uint8Array(1_000_000) } as unknown as DecodedTransaction;

describe('the facts of a large transaction', () => {
  it('count once against their caller, however many rules ask', async () => {
    const facts = new AccessFacts(ledger, {} as LedgerChecks);
    const askOften = async (caller: string) => {
      const { transactionJson, readArguments } = facts.of(caller, large);
      for (let rule = 0; rule < 10; rule++) await readArguments(() => true);
      await transactionJson();
    };
    await askOften('shop');
    await askOften('shop');
    await expect(askOften('shop')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await askOften('other');
  });
});
