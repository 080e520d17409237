import { createIotaLedger } from '@forecourt/ledger';
import { bcs } from '@iota/iota-sdk/bcs';
import { median, type Row } from '../row.js';
import { sampleTransaction } from '../samples.js';
import type { Effort } from './effort.js';

const CALLS = 500;
const SHARE = 1.5;

/**
 * Decodes a transaction and hashes it, beside the SDK's parse, which neither hashes nor proves the
 * canonical form.
 */
export async function benchDecoding({ say, quick }: Effort): Promise<Row[]> {
  say('decoding …');
  const bytes = await sampleTransaction();
  const ledger = createIotaLedger({ urls: ['http://127.0.0.1:1'] });
  const rounds: { own: number; parse: number }[] = [];
  for (let round = 0; round <= (quick ? 20 : 100); round++) {
    const parse = microseconds(() => bcs.TransactionData.parse(bytes));
    const own = microseconds(() => ledger.decodeTransaction(bytes));
    if (round > 10) rounds.push({ own, parse });
  }
  const ratio = median(rounds.map(({ own, parse }) => own / parse));
  return [
    {
      what: `decoding a transaction of ${bytes.length} bytes`,
      value: median(rounds.map(({ own }) => own)),
      unit: 'µs',
      ratio,
      reference: `the SDK's parse alone, ${median(rounds.map(({ parse }) => parse)).toFixed(1)} µs`,
      target: `${SHARE} of it`,
      isMet: ratio <= SHARE,
    },
  ];
}

function microseconds(work: () => void): number {
  const before = performance.now();
  for (let call = 0; call < CALLS; call++) work();
  return ((performance.now() - before) * 1_000) / CALLS;
}
