import { createLocalSigner } from '@forecourt/ledger';
import { devnetControl } from '@forecourt/testing/system';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { HttpConnection } from '../load/http-connection.js';
import { executeSponsored, GAS_BUDGET } from '../load/users.js';
import { TransactionTemplate } from '../load/transaction-template.js';
import type { Row } from '../row.js';
import type { BenchSystem } from './bench-system.js';

const TRANSACTIONS = 200;
const WRITE = 'iota_executeTransactionBlock';
const READ = 'iota_multiGetObjects';
/**
 * Per second, for periodic requests of the services: the epoch each second, and the sponsor's
 * coins.
 */
const BESIDE = 4;

type Counts = Readonly<Record<string, number>>;

interface Counted {
  readonly counts: Counts;
  /** Transactions. */
  readonly done: number;
  readonly seconds: number;
}

/** Counts the requests to a node for one sponsored transaction, by devnet's own counter. */
export async function countRoundTrips(bench: BenchSystem): Promise<Row[]> {
  const ofClock = await counting(bench, async () => {
    const { load, sponsoring } = bench;
    return (await load.run({ ...sponsoring, users: 8, seconds: 2 })).done;
  });
  const ofOwn = await counting(bench, () => sponsorOwnObjects(bench));
  return [
    ...describe('without objects of its sender', ofClock, 0),
    ...describe('with an object of its sender', ofOwn, 1),
  ];
}

async function counting(
  { system: { controlUrl } }: BenchSystem,
  sponsor: () => Promise<number>,
): Promise<Counted> {
  const url = `${controlUrl}/counters`;
  await fetch(url, { method: 'DELETE' });
  const before = performance.now();
  const done = await sponsor();
  const seconds = (performance.now() - before) / 1_000;
  const { requests } = (await (await fetch(url)).json()) as { requests: Counts };
  return { counts: requests, done, seconds };
}

/**
 * Transactions of one user, each of which gives away a coin of the user's. Returns their number.
 */
async function sponsorOwnObjects(bench: BenchSystem): Promise<number> {
  const { gateway, system } = bench;
  const signer = createLocalSigner(new Ed25519Keypair().getSecretKey());
  const owned = await devnetControl(system.controlUrl!).mint(signer.address, 1_000, TRANSACTIONS);
  const connection = await HttpConnection.open(gateway.url, gateway.token);
  for (const object of owned) {
    const template = await TransactionTemplate.build({
      sender: signer.address,
      gasOwner: system.sponsor,
      gasBudget: GAS_BUDGET,
      build: (tx) => tx.transferObjects([tx.objectRef(object)], '0xb0b'),
    });
    await executeSponsored(connection, signer, template);
  }
  connection.close();
  return owned.length;
}

function describe(which: string, { counts, done, seconds }: Counted, readsWanted: number): Row[] {
  const { [WRITE]: writes = 0, [READ]: reads = 0, ...others } = counts;
  const perSecond = Object.values(others).reduce((sum, count) => sum + count, 0) / seconds;
  const basis = { reference: `${done} transactions` };
  const row = (what: string, count: number, wanted: number): Row => ({
    what: `${what}, for a transaction ${which}`,
    value: count / done,
    unit: '',
    ...basis,
    target: String(wanted),
    isMet: count === wanted * done,
  });
  return [
    row('writes to the ledger', writes, 1),
    row('batched reads', reads, readsWanted),
    {
      what: `other requests meanwhile, ${which}`,
      value: perSecond,
      unit: '/s',
      ...basis,
      target: `below ${BESIDE} /s, however many transactions`,
      isMet: perSecond < BESIDE,
    },
  ];
}
