import { createHash } from 'node:crypto';
import type { RefusedRequest, Sponsorship } from '@forecourt/contracts';
import { Database, Partitions, refusalId } from '@forecourt/history/database';
import { insertRefusals, insertSponsorships } from '@forecourt/history/writing';
import { firstReservationAt } from '@forecourt/sponsorship';
import { toBase58 } from '@iota/iota-sdk/utils';

const HOUR_MS = 3_600_000;
const HOURS = 48;

/** Sponsored transactions in each hour of a day, from midnight on. */
const TRAFFIC = [
  9, 6, 4, 4, 5, 9, 18, 34, 52, 61, 66, 70, 78, 72, 64, 60, 58, 63, 74, 82, 71, 48, 29, 16,
] as const;
/** Hours before now in which the node was slow, and for some minutes away. */
const SLOW_HOURS = 5;

const FUNCTIONS = [
  '0xdec0::garage::build_car',
  '0xdec0::garage::paint',
  '0x2::clock::timestamp_ms',
  `0x${'7a'.repeat(32)}::loyalty::collect_points`,
  `0x${'7a'.repeat(32)}::loyalty::redeem`,
  `0x${'3c'.repeat(32)}::tickets::check_in`,
] as const;

const REFUSALS = [
  { code: 'SPENDING_LIMIT', status: '429', rule: 'fair use', message: 'budget: 500 IOTA in 1 day' },
  { code: 'FORBIDDEN', status: '403', rule: 'no minting', message: 'Coins are not minted here.' },
  { code: 'REQUEST_LIMIT', status: '429', rule: 'newcomers', message: 'requests > 1 in 1 day' },
  {
    code: 'GAS_BUDGET_ABOVE_RESERVED',
    status: '400',
    rule: '',
    message: "The transaction's gas budget exceeds the reserved budget",
  },
  { code: 'INVALID_REQUEST', status: '400', rule: '', message: 'gas_budget must be an integer' },
] as const;
const OUTAGE = {
  code: 'LEDGER_UNREACHABLE',
  status: '503',
  rule: '',
  message: 'The node does not answer',
} as const;

/** Numbers from 0 to 1 that look random and are the same in every run. */
class Chance {
  #state = 7;

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** One of the values, the first ones more often. */
  of<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() ** 1.7 * values.length)]!;
  }
}

/**
 * The records of the two days before `now`: more by day than by night, failures, refusals, and a slow hour.
 */
export async function writePast(
  databaseUrl: string,
  now: number,
  sponsors: readonly string[],
): Promise<void> {
  const chance = new Chance();
  const sponsorships: Sponsorship[] = [];
  const refusals: Parameters<typeof insertRefusals>[1][number][] = [];
  for (let hours = HOURS; hours > 0; hours--) {
    const from = now - hours * HOUR_MS;
    const usual = TRAFFIC[new Date(from).getUTCHours()]!;
    const count = Math.round(usual * (0.85 + chance.next() * 0.3) * (hours > 24 ? 0.88 : 1));
    for (let n = 0; n < count; n++) {
      const time = Math.floor(from + chance.next() * HOUR_MS);
      sponsorships.push(pastSponsorship(time, n, hours === SLOW_HOURS, sponsors, chance));
    }
    const refused = Math.round(usual * 0.06 + chance.next() * 2);
    for (let n = 0; n < refused; n++) {
      refusals.push(pastRefusal(Math.floor(from + chance.next() * HOUR_MS), n, chance));
    }
    for (let n = 0; hours === SLOW_HOURS && n < 14; n++) {
      refusals.push(pastRefusal(Math.floor(from + n * 9_000), 100 + n, chance, OUTAGE));
    }
  }
  const database = new Database({ databaseUrl, databaseConnections: 1 });
  try {
    const times = [...sponsorships.map((one) => one.created_at)];
    await new Partitions(database).ensure(times);
    const records = sponsorships.map((sponsorship) => {
      return { sponsorship, decision: null, transaction: '' };
    });
    await database.transaction((client) => insertSponsorships(client, records));
    await database.transaction((client) => insertRefusals(client, refusals));
  } finally {
    await database.close();
  }
}

const tokenOf = (chance: Chance) => chance.of(['shop', 'game', 'shop', 'racer']);
const senderOf = (chance: Chance) =>
  `0x${createHash('sha256')
    .update(`user ${Math.floor(chance.next() * 400)}`)
    .digest('hex')}`;

function pastSponsorship(
  time: number,
  n: number,
  isSlow: boolean,
  sponsors: readonly string[],
  chance: Chance,
): Sponsorship {
  const id = firstReservationAt(time) + (n % 8_192);
  const digest = toBase58(createHash('sha256').update(`${id}`).digest());
  // Most take about as long as the ledger needs; few take much longer.
  const queue = Math.round(2 + chance.next() ** 4 * (isSlow ? 4_000 : 90));
  const work = Math.round(220 + chance.next() ** 3 * (isSlow ? 7_000 : 500));
  const claimed = time + 400 + Math.floor(chance.next() * 2_000);
  const isFailed = chance.next() < (isSlow ? 0.06 : 0.012);
  const computation = 1_000_000 + Math.floor(chance.next() * 40) * 100_000;
  const storage = 988_000 * (1 + Math.floor(chance.next() * 5));
  const rebate = Math.round(storage * 0.6);
  const net = String(computation + storage - rebate);
  return {
    reservation_id: id,
    status: 'executed',
    outcome: isFailed ? 'failure' : 'success',
    token: tokenOf(chance),
    user: null,
    sponsor_address: chance.of(sponsors),
    sender: senderOf(chance),
    digest,
    gas_budget: '20000000',
    reserved_balance: '100000000',
    gas_coins: [{ objectId: `0x${digestHex(id)}`, version: 7, digest }],
    gas: {
      computation: String(computation),
      storage: String(storage),
      rebate: String(rebate),
      net,
      counted: net,
    },
    commands: [`MoveCall ${chance.of(FUNCTIONS)}`, 'TransferObjects'],
    rule: 'fair use',
    refusals: [],
    failure: isFailed ? 'MoveAbort(0xdec0::garage::fail, 7) in command 0' : null,
    attempts: 1,
    executor: 'executor-1',
    request_ids: [],
    trace_id: null,
    timeline: [
      { at: time, event: 'reserved' },
      { at: claimed, event: 'claimed' },
      { at: claimed + queue, event: 'begun' },
      { at: claimed + queue + work, event: 'executed' },
    ],
    created_at: time,
    ended_at: claimed + queue + work,
    rebuilt: null,
  };
}

const digestHex = (id: number) => createHash('sha256').update(`coin ${id}`).digest('hex');

function pastRefusal(
  time: number,
  sequence: number,
  chance: Chance,
  reason: Pick<RefusedRequest, 'code' | 'status' | 'rule' | 'message'> = chance.of(REFUSALS),
) {
  const refused: RefusedRequest = {
    v: '1',
    at: String(time),
    route: reason.code === 'INVALID_REQUEST' ? 'POST /v1/reserve_gas' : 'POST /v1/execute_tx',
    token: tokenOf(chance),
    user: '',
    sender: senderOf(chance),
    sponsor: '',
    ...reason,
    digest: '',
    reservation: '',
    request: '',
    transaction: '',
    facts: '',
  };
  return { id: String(refusalId(`${time}-${sequence}`)), refused, commands: [] };
}
