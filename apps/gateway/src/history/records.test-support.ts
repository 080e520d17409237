import { partial } from '@forecourt/testing/jest';
import {
  type CountSponsorships,
  digestInBase58,
  type ErrorMessage,
  type FindSponsorship,
  type ListedRefusal,
  type LatencyReport,
  type ListRecords,
  MAX_COUNTED,
  type ReadLatency,
  type RefusalPage,
  type Sponsorship,
  type SumUsage,
  type UsageReport,
} from '@forecourt/contracts';
import { RpcException } from '@nestjs/microservices';
import { lastValueFrom, throwError } from 'rxjs';
import type { MessageClient } from '@forecourt/runtime/transport';
import { compareIn, maySee, passesFilters } from '@forecourt/sponsorship';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { HistoryClient } from './history-client.js';

export const full = (digits: string) => `0x${digits.padStart(64, '0')}`;
/** Differs for each id below 2^32. */
export function digestOf(id: number): string {
  const bytes = Buffer.alloc(32, 7);
  bytes.writeUInt32BE(id % 2 ** 32);
  return digestInBase58(bytes.toString('base64'));
}

export function aSponsorship(id: number, over: Partial<Sponsorship> = {}): Sponsorship {
  return {
    reservation_id: id,
    status: 'executed',
    outcome: 'success',
    token: 'shop',
    user: null,
    sponsor_address: full('a0'),
    sender: full('5e'),
    digest: digestOf(id),
    gas_budget: '10000000',
    reserved_balance: '100000000',
    gas_coins: [],
    gas: null,
    commands: [`MoveCall ${full('2')}::clock::timestamp_ms`],
    rule: null,
    refusals: [],
    failure: null,
    attempts: 1,
    executor: null,
    request_ids: [],
    trace_id: null,
    timeline: [{ at: id, event: 'reserved' }],
    created_at: id,
    ended_at: id + 1,
    rebuilt: null,
    ...over,
  };
}

export function aRefusal(time: number, over: Partial<ListedRefusal> = {}): ListedRefusal {
  return {
    at: time,
    route: 'POST /v1/execute_tx',
    token: 'shop',
    user: null,
    sender: null,
    status: 403,
    code: 'FORBIDDEN',
    message: 'no',
    rule: null,
    digest: null,
    reservation_id: null,
    request_id: null,
    ...over,
  };
}

/** The fields of all messages. */
type Asked = FindSponsorship &
  Pick<CountSponsorships, 'except'> &
  SumUsage &
  ReadLatency &
  Omit<ListRecords, 'before' | 'filters'> & {
    readonly filters: ListRecords['filters'];
    readonly before?: string | number;
  };

/**
 * The contents of the pools and of the database, and stand-ins for the coin-pool and for history that answer
 * from it. Tests change it, and `onRead` between two reads.
 */
export class Records {
  pooled: Sponsorship[] = [];
  stored: Sponsorship[] = [];
  refusals: ListedRefusal[] = [];
  /** The waits that gateways have asked for. */
  readonly waits: unknown[] = [];
  /** Every message that history has received. */
  readonly lookups: { readonly cmd: string; readonly message: Asked }[] = [];
  /** Whether the services answer everybody everything. */
  isLeaky = false;
  onRead: () => void = () => undefined;
  /** The error with which a service answers everything. */
  readonly outages: Partial<Record<'coinPool' | 'history', ErrorMessage>> = {};

  readonly coinPool = new CoinPoolClient(
    partial({ coinPools: [], coinPoolTimeoutMs: 5_000, fleetSecrets: [] }),
    clientOf((cmd, message) => this.answerAsCoinPool(cmd, message)),
  );

  readonly history = new HistoryClient(
    partial({ historyEndpoints: [], historyTimeoutMs: 5_000, fleetSecrets: [] }),
    clientOf((cmd, message) => this.answerAsHistory(cmd, message)),
  );

  private answerAsCoinPool(cmd: string, message: Asked): object {
    if (this.outages.coinPool) throw new RpcException(this.outages.coinPool);
    if (cmd === 'find-reservation') {
      this.waits.push(message);
      return { found: null, everHeld: true };
    }
    const pooled = this.pooled.filter((one) => this.isLeaky || maySee(message.viewer, one));
    this.onRead();
    if (cmd === 'find-sponsorship') return { sponsorship: find(pooled, message) };
    return search(pooled, message);
  }

  private answerAsHistory(cmd: string, message: Asked): object {
    if (this.outages.history) throw new RpcException(this.outages.history);
    this.lookups.push({ cmd, message });
    const stored = this.stored.filter((one) => this.isLeaky || maySee(message.viewer, one));
    this.onRead();
    if (cmd === 'find-sponsorship') return { sponsorship: find(stored, message) };
    if (cmd === 'list-sponsorships') {
      const data = inOrder(stored, message).map(
        ({ timeline: _, gas_coins: _coins, ...listed }) => listed,
      );
      const rest = inOrder(stored, { ...message, limit: Infinity });
      const isLast = rest.length <= data.length;
      const next = isLast ? null : String(data.at(-1)!.reservation_id);
      return { data, next, missing: 0 };
    }
    if (cmd === 'count-sponsorships') {
      const found = inOrder(stored, { ...message, limit: MAX_COUNTED + 1 });
      return { count: found.filter((one) => !message.except.includes(one.reservation_id)).length };
    }
    if (cmd === 'read-latency') return latencyOf(message);
    return cmd === 'list-refusals' ? this.listRefusals(message) : sumOf(message);
  }

  private listRefusals({ viewer, limit, before = 'Infinity' }: Asked): RefusalPage {
    const all = this.refusals.filter(
      (one) => (this.isLeaky || maySee(viewer, one)) && one.at < Number(before),
    );
    const data = all.toSorted((a, b) => b.at - a.at).slice(0, limit);
    const next = all.length > limit ? String(data.at(-1)!.at) : null;
    return { data, next, dropped: [{ token: 'shop', code: 'NO_COINS', requests: 7 }] };
  }
}

function find(records: readonly Sponsorship[], lookup: Asked): Sponsorship | null {
  const { reservationId, digest } = lookup;
  return (
    records.find((one) => one.reservation_id === reservationId || one.digest === digest) ?? null
  );
}

/** Each message searches as many. */
const SEARCHED = 3;

function search(pooled: readonly Sponsorship[], lookup: Asked) {
  const compare = compareIn(lookup.order);
  const all = inOrder(pooled, { ...lookup, filters: {}, limit: Infinity });
  const searched = all.slice(0, SEARCHED);
  const sponsorships = inOrder(searched, lookup);
  const isFull = sponsorships.length === lookup.limit;
  const last = (isFull ? sponsorships : searched).at(-1)?.reservation_id ?? 0;
  const isComplete = last === 0 || !all.some((one) => compare(one.reservation_id, last) > 0);
  return { sponsorships, searchedTo: isComplete ? 0 : last };
}

function inOrder(records: readonly Sponsorship[], lookup: Asked): Sponsorship[] {
  const { filters, before, limit, order } = lookup;
  const compare = compareIn(order);
  const isAfter = (id: number) => before === undefined || compare(id, Number(before)) > 0;
  return records
    .filter((one) => isAfter(one.reservation_id) && passesFilters(one, filters))
    .toSorted((a, b) => compare(a.reservation_id, b.reservation_id))
    .slice(0, limit);
}

function sumOf({ from, to, groupBy }: Asked): UsageReport {
  const figures = { transactions: 2, failed: 1, refused: 0, gas: '-5' };
  const keys = Object.fromEntries(groupBy.map((key) => [key, `a ${key}`]));
  const rows = [{ ...keys, ...figures }];
  const amounts = { transactions: 1, gas: '-5', unexplained: '7' };
  const correction = { cause: 'redis_lost_writes', ...amounts } as const;
  return { from, to, group_by: groupBy, rows, total: figures, corrections: [correction] };
}

function latencyOf({ from, to, by }: Asked): LatencyReport {
  const figures = { transactions: 2, latency_ms: { p50: 310, p99: 900 }, queue_ms: null };
  return { from, to, by, rows: [{ at: from, ...figures }], total: figures };
}

/** As over the network, errors arrive as what an `RpcException` holds. */
function clientOf(answer: (cmd: string, message: Asked) => object): MessageClient {
  const reply = async (cmd: string, message: object) => answer(cmd, message as Asked);
  return {
    connect: async () => undefined,
    close: () => undefined,
    request: ({ cmd }, message) =>
      reply(cmd, message).catch((error: RpcException) =>
        lastValueFrom(throwError(() => error.getError())),
      ),
  };
}
