import { randomInt } from 'node:crypto';
import { prepareCoinStore, readPoolFigures } from '@forecourt/coin-store';
import type { GasCoinReference } from '@forecourt/contracts';
import { startSystem, type System, waitUntil } from '@forecourt/testing/system';
import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { Redis } from 'ioredis';
import type { Row } from './row.js';
import { say } from './run-benchmark.js';

const CLIENTS = 32;
const COINS = 200;
const MIN_COINS = 195;
const COIN = 100_000_000;
const CLOSE = 0.05;
const BURN = '0xdec0::garage::burn';
const MAX_UNITS = 5_000;
/** As shares of a coin; seven of ten small, five of a hundred larger than a coin. */
const BUDGETS = [
  { upTo: 70, least: 0.1, most: 0.2 },
  { upTo: 95, least: 0.2, most: 0.6 },
  { upTo: 100, least: 1.2, most: 2.5 },
] as const;
const FILLED_WITHIN_MS = 60_000;

interface Counts {
  smashed: number;
  several: number;
  refused: number;
}

/** The whole system pays for real transactions on a devnet; measures the pool afterwards. */
export async function shapeOnDevnet(transactions: number): Promise<Row[]> {
  const env = { POOL_TARGET_COINS: String(COINS), POOL_MIN_COINS: String(MIN_COINS) };
  const system = await startSystem({ env, executors: 2, onProgress: say });
  const redis = prepareCoinStore(new Redis(system.facts.redisUrl));
  try {
    const serving = async () => {
      const { coins } = (await readPoolFigures(redis, system.sponsor)).totals;
      return Number(coins.available + coins.reserved + coins.claimed + coins.executing);
    };
    const waitUntilServing = (coins: number) =>
      waitUntil(async () => (await serving()) >= coins, {
        what: `a pool of ${coins} coins`,
        timeoutMs: FILLED_WITHIN_MS,
      });
    await waitUntilServing(COINS);
    const before = await serving();
    const counts: Counts = { smashed: 0, several: 0, refused: 0 };
    let started = 0;
    const client = async () => {
      while (started++ < transactions) await sponsorOne(system, counts);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await waitUntilServing(MIN_COINS);
    const after = await serving();
    const { exitCode } = await system.audit();
    const perThousand = (count: number) => (1_000 * count) / transactions;
    const kept = after / before;
    return [
      row(`devnet: coins to sponsor with after ${transactions}`, after, 'coins', {
        reference: `before: ${before}`,
        ratio: kept,
        target: '0.95 to 1.05',
        isMet: Math.abs(kept - 1) <= CLOSE,
      }),
      row('devnet: transactions that several coins paid for', perThousand(counts.several), RATE),
      row('devnet: coins smashed by transactions', perThousand(counts.smashed), RATE),
      row('devnet: reservations for which there were no coins', counts.refused, 'in all', {
        target: '0',
        isMet: counts.refused === 0,
      }),
      row('devnet: exit code of the audit', exitCode ?? Number.NaN, '', {
        target: '0',
        isMet: exitCode === 0,
      }),
    ];
  } finally {
    redis.disconnect();
    await system.stop();
  }
}

const RATE = 'per 1 000 transactions';

function row(what: string, value: number, unit: string, more: Partial<Row> = {}): Row {
  return { what, value, unit, ...more };
}

async function sponsorOne(system: System, counts: Counts): Promise<void> {
  const drawn = randomInt(100);
  const { least, most } = BUDGETS.find(({ upTo }) => drawn < upTo)!;
  const budget = randomInt(Math.round(COIN * least), Math.round(COIN * most));
  const request = await post(system, 'reserve_gas', {
    gas_budget: budget,
    reserve_duration_secs: 60,
  });
  if (request.status === 503) {
    counts.refused += 1;
    return;
  }
  const { reservation_id, gas_coins } = expectOk(request).result as {
    reservation_id: number;
    gas_coins: GasCoinReference[];
  };
  counts.smashed += gas_coins.length - 1;
  if (gas_coins.length > 1) counts.several += 1;
  const user = new Ed25519Keypair();
  const tx = new Transaction();
  tx.moveCall({ target: BURN, arguments: [tx.pure.u64(randomInt(1, MAX_UNITS))] });
  tx.setSender(user.toIotaAddress());
  tx.setGasOwner(system.sponsor);
  tx.setGasPayment(gas_coins.map((coin) => ({ ...coin })));
  tx.setGasBudget(budget);
  tx.setGasPrice(1_000);
  const bytes = await tx.build({ client: new IotaClient({ url: system.facts.ledgerUrl }) });
  const { signature } = await user.signTransaction(bytes);
  expectOk(
    await post(system, 'execute_tx', {
      reservation_id,
      tx_bytes: Buffer.from(bytes).toString('base64'),
      user_sig: signature,
    }),
  );
}

async function post(system: System, path: string, body: object) {
  const response = await fetch(`${system.gatewayUrls[0]}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { result?: unknown } };
}

function expectOk({ status, body }: Awaited<ReturnType<typeof post>>): { result?: unknown } {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
