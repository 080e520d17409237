import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromHex, normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { LedgerService } from '../../node-messages/index.js';
import { COIN_STORAGE_COST, MIN_COMPUTATION_UNITS } from '../limits.js';
import { buildProbe } from '../transactions/build-transactions.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { Check, Outcome } from './check.js';
import type { SystemState } from '../client/node-client.js';
import { type ExaminedNode, PARTS } from './examined-node.js';

const { getObjects } = LedgerService.method;

export const QUERY = 'iotax_queryTransactionBlocks';
export const ZERO = normalizeIotaAddress('0x0');

const hours = (ms: number) => `${(ms / 3_600_000).toFixed(1)} h`;

export function describeEpoch(state: SystemState): Outcome {
  const left = state.epochStartedAt + state.epochDurationMs - Date.now();
  const quarantined = 'Quarantined coins return after it; epoch and gas price are';
  if (state.epochDurationMs === 0) {
    const consequence = `${quarantined} read every second until then`;
    return { answer: `${state.epoch}, its end is unknown`, consequence, verdict: 'fine' };
  }
  if (state.isInSafeMode) {
    const consequence = 'The network is in safe mode: the last epoch ended abnormally';
    return { answer: String(state.epoch), consequence };
  }
  if (left < 0) return { answer: `${state.epoch}, should have ended ${hours(-left)} ago` };
  const consequence = `${quarantined} cached until then`;
  return { answer: `${state.epoch}, ends in ${hours(left)}`, consequence, verdict: 'fine' };
}

/** Whether the node still has an object at the version that its newest transaction has replaced. */
export async function examineFormerVersion(node: ExaminedNode): Promise<Outcome> {
  const transaction = await node.newestTransaction().catch(() => null);
  const replaced = transaction?.effects?.modifiedAtVersions?.[0];
  if (!replaced) return 'not examined: no transaction to look at changed one';
  const objectId = { objectId: fromHex(replaced.objectId) };
  const objectRef = { objectId, version: BigInt(replaced.sequenceNumber) };
  const request = { requests: { requests: [{ objectRef }] }, readMask: { paths: ['reference'] } };
  const [answer] = await node.channel.all(getObjects, request, node.endsAt);
  return answer?.objects[0]?.result.case === 'object' ? 'kept' : { answer: 'pruned at once' };
}

/** About a transaction that the node has read, and refuses for its gas or its inputs. */
const ABOUT_INPUTS =
  /transaction inputs?|gas (price|budget|object)|referenced object|expired|insufficient/i;
const ABOUT_FORM =
  /invalid ((user )?signature|transaction bcs)|deserializ|signature scheme|signatures\[|required signature|signature is not valid/i;

const isRefusal = (error: unknown, about: RegExp) =>
  error instanceof NodeRefusal && about.test(error.message);

/** The dry run of a transaction without coins: it succeeds, or is refused for its gas. */
export async function examineDryRun(node: ExaminedNode): Promise<Outcome> {
  const tx = new Transaction();
  tx.makeMoveVec({ type: 'u8', elements: [] });
  tx.setSender(new Ed25519Keypair().toIotaAddress());
  tx.setGasPayment([]);
  tx.setGasPrice(1_000);
  tx.setGasBudget(10_000_000);
  try {
    await node.dryRun(await tx.build());
    return 'answered';
  } catch (error) {
    if (isRefusal(error, ABOUT_INPUTS)) return 'answered: refused for its gas';
    throw error;
  }
}

/**
 * Submits a transaction that no ledger executes, signed with a new key (see `buildProbe`): a node that
 * refuses it for its gas has read bytes and signatures as the services send them.
 */
export async function examineSubmission(node: ExaminedNode): Promise<Outcome> {
  const key = new Ed25519Keypair();
  const bytes = await buildProbe(key.toIotaAddress());
  const { signature } = await key.signTransaction(bytes);
  try {
    await node.execute(bytes, [signature]);
  } catch (error) {
    if (isRefusal(error, ABOUT_FORM)) {
      const consequence =
        'Nothing can be sponsored: the node does not read transactions or signatures in the form in which they are sent. Upgrade the older of node and release, or use the node over JSON-RPC';
      return { answer: (error as Error).message, consequence };
    }
    if (isRefusal(error, ABOUT_INPUTS)) {
      return 'a transaction that cannot land is refused for its gas';
    }
    throw error;
  }
  return {
    answer: 'a transaction that no ledger executes was accepted',
    consequence: 'This is not a node of an IOTA ledger, or its answers are false: do not use it',
  };
}

/** In the notation of the events service. */
const UNSUPPORTED = /\bunsupported\(|is not supported/i;

/** Finds which of the filters that a criterion needs the node has an index for. */
const hasIndex = (filters: Readonly<Record<string, unknown>>) => async (node: ExaminedNode) => {
  const lacking: string[] = [];
  for (const [name, argument] of Object.entries(filters)) {
    try {
      await node.ask(QUERY, [{ filter: { [name]: argument } }, null, 1, true]);
    } catch (error) {
      if (!(error instanceof NodeRefusal) || !UNSUPPORTED.test(error.message)) throw error;
      lacking.push(name);
    }
  }
  if (lacking.length === 0) return 'answered';
  return {
    answer: `not answered: no index for ${lacking.join(', ')}`,
    consequence:
      'Refused at once: query by Sender or MoveEvent, or add a node that has it to EVENTS_UPSTREAMS',
  };
};

/** A criterion of event queries, and the filters of the node that find its transactions. */
export const criterion = (
  name: string,
  filters: Readonly<Record<string, unknown>>,
  serves = 'From the index of transactions',
): Check => ({
  name: `criterion ${name}`,
  over: 'JSON-RPC',
  check: hasIndex(filters),
  serves,
  remedy: 'It is unknown whether such queries are answered',
});

/** Time limit of a query of the events service. */
const LIMIT_MS = 30_000;
const MEASURED_CHECKPOINTS = 40;
const LARGEST_PAGE = 50;

/** Estimates, from the newest checkpoints, the duration of queries that read every checkpoint. */
export async function examineWalk(node: ExaminedNode): Promise<Outcome> {
  const [lowest] = await node.getCheckpoints(null, 1, false);
  const startedAt = performance.now();
  const newest = await node.getCheckpoints(null, MEASURED_CHECKPOINTS, true);
  const digests = newest.flatMap(({ transactions }) => transactions);
  for (let start = 0; start < digests.length; start += LARGEST_PAGE) {
    await node.getTransactions(digests.slice(start, start + LARGEST_PAGE), PARTS);
  }
  const [first] = newest;
  if (!lowest || !first) {
    return { answer: 'no checkpoints', consequence: 'The node has no ledger yet' };
  }
  const count = Number(first.sequenceNumber) - Number(lowest.sequenceNumber) + 1;
  const estimateMs = (count * (performance.now() - startedAt)) / newest.length;
  const estimate = `about ${(estimateMs / 1_000).toFixed(0)} s for ${count} checkpoints`;
  if (estimateMs > LIMIT_MS) {
    const consequence =
      'a query may take 30 s: refused at once, unless enough events are found near its beginning';
    return { answer: `not answered: ${estimate}`, consequence };
  }
  const consequence = 'Every checkpoint is read; a query may take 30 s';
  return estimateMs > LIMIT_MS / 6
    ? { answer: `slow: ${estimate}`, consequence }
    : { answer: `answered: ${estimate}`, consequence, verdict: 'fine' };
}

const SOCKET_MS = 5_000;

/** Whether the node accepts WebSockets. */
export async function examineWebSocket({ address }: ExaminedNode): Promise<Outcome> {
  const socket = new WebSocket(address.url.replace(/^http/, 'ws'));
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const late = setTimeout(() => resolve('no response'), SOCKET_MS);
  const consequence = 'It signals Move events at once; others are read four times a second';
  socket.addEventListener('open', () =>
    resolve({ answer: 'accepted', consequence, verdict: 'fine' }),
  );
  socket.addEventListener('error', () => resolve('refused'));
  const outcome = await promise;
  clearTimeout(late);
  socket.close();
  return outcome;
}

/** Duration of a small call to the node. */
export async function examineLatency(node: ExaminedNode): Promise<Outcome> {
  const times: number[] = [];
  for (let call = 0; call < 50; call++) {
    const startedAt = performance.now();
    await node.getChainIdentifier();
    times.push(performance.now() - startedAt);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
  return `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`;
}

/** Objects that every ledger has: the system state and the clock. */
export const COMMON_OBJECTS = ['0x5', '0x6'].map((id) => normalizeIotaAddress(id));
const REQUESTS = COMMON_OBJECTS.map((id) => ({
  objectRef: { objectId: { objectId: fromHex(id) } },
}));

const MEBIBYTE = 2 ** 20;
const LARGEST_MESSAGE = 128 * MEBIBYTE;

/** Whether the node sends messages as large as the services accept, if a transaction needs them. */
export async function examineMessageSize({ channel, endsAt }: ExaminedNode): Promise<Outcome> {
  const request = { requests: { requests: REQUESTS }, maxMessageSizeBytes: LARGEST_MESSAGE };
  await channel.all(getObjects, request, endsAt);
  return `up to ${LARGEST_MESSAGE / MEBIBYTE} MiB`;
}

/** One side's algorithm of Nagle waits for the other's acknowledgement, which comes 40 ms later. */
const HELD_BACK_MS = 30;
/** The first calls of a connection are acknowledged at once. */
const UNMEASURED = 10;
const MEASURED = 20;

/** Whether answers of more than a segment take longer than their reading does. */
export async function examineLargerAnswers(node: ExaminedNode): Promise<Outcome> {
  const timeOf = async (requests: typeof REQUESTS) => {
    const startedAt = performance.now();
    await node.channel.all(getObjects, { requests: { requests } }, node.endsAt);
    return performance.now() - startedAt;
  };
  const times: [small: number, large: number][] = [];
  for (let call = 0; call < UNMEASURED + MEASURED; call++) {
    times.push([await timeOf(REQUESTS.slice(1)), await timeOf(REQUESTS)]);
  }
  const measured = times.slice(UNMEASURED);
  // A busy machine delays some calls; the algorithm delays all larger answers.
  const usual = (all: number[]) => all.toSorted((one, other) => one - other)[MEASURED / 4]!;
  const small = usual(measured.map(([time]) => time));
  const large = usual(measured.map(([, time]) => time));
  const answer = `p25 ${large.toFixed(1)} ms, of a small one ${small.toFixed(1)} ms`;
  if (large - small < HELD_BACK_MS) return answer;
  const consequence =
    'The node, or a proxy before it, holds parts of answers back until the others are acknowledged: switch Nagle’s algorithm off there (TCP_NODELAY)';
  return { answer, consequence };
}

/** Reports whether the node limited the rate of calls, also when twenty calls arrive at once. */
export async function examineRateLimit(node: ExaminedNode): Promise<Outcome> {
  const atOnce = await Promise.allSettled(
    Array.from({ length: 20 }, () => node.getChainIdentifier()),
  );
  const failed = atOnce.filter(({ status }) => status === 'rejected').length;
  const { calls, limitedCalls } = node;
  return limitedCalls === 0 && failed === 0
    ? `none in ${calls} calls, 20 of them at once`
    : { answer: `${limitedCalls} of ${calls} calls limited, ${failed} failed` };
}

/** Balance and coins of a sponsor, and the number of small transactions that they pay for. */
export async function examineBalance(node: ExaminedNode, owner: string): Promise<Outcome> {
  const { coins, sum } = await node.balance(owner);
  const state = await node.systemState();
  if (state === null) throw new Error('the node shows no gas price');
  const answer = `${sum} in ${coins} coins`;
  const each = MIN_COMPUTATION_UNITS * state.referenceGasPrice + COIN_STORAGE_COST;
  const count = sum / each;
  if (count === 0n) return { answer, consequence: 'Pays for no transaction: fund the sponsor' };
  const consequence = `Pays for about ${count} transactions of the smallest computation that store one small object (${each} each)`;
  return { answer, consequence, verdict: 'fine' };
}

const MAX_SKEW_MS = 2_000;
export const MAX_LAG_MS = 60_000;

/** Age of the newest checkpoint by the local clock. */
export async function examineAge(node: ExaminedNode): Promise<Outcome> {
  const newest = await node.getLatestCheckpoint();
  const ageMs = Date.now() - Number((await node.getCheckpoint(newest)).timestampMs);
  const answer = `${newest}, ${(ageMs / 1_000).toFixed(1)} s old by the clock here`;
  if (ageMs > MAX_LAG_MS) {
    const consequence =
      'The node lags behind, the network stands still, or the clock here is ahead';
    return { answer, consequence };
  }
  const consequence = 'The clock here is behind that of the ledger';
  return ageMs < -MAX_SKEW_MS ? { answer, consequence } : answer;
}

/** Whether the node responds to calls without the configured headers. */
export async function examineHeaders(node: ExaminedNode): Promise<Outcome> {
  const names = Object.keys(node.address.headers);
  if (names.length === 0) return 'none sent';
  const sent = `sent: ${names.join(', ')}`;
  try {
    await node.chain({});
    return { answer: sent, consequence: 'The node responds without them too' };
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    const consequence = 'LEDGER_HEADERS must be set for every service';
    return { answer: `${sent}; required`, consequence, verdict: 'fine' };
  }
}

/** Whether the node lists transactions in the ledger’s order, or in that in which it executed them. */
export async function examineOrder(node: ExaminedNode): Promise<Outcome> {
  const params = [{ filter: null, options: {} }, null, 20, true];
  const { data } = await node.ask<{ data: { checkpoint?: string }[] }>(QUERY, params);
  const numbers = data.flatMap(({ checkpoint }) => (checkpoint ? [Number(checkpoint)] : []));
  const answer = `by checkpoint, of the newest ${numbers.length} transactions`;
  if (numbers.every((one, index) => index === 0 || one <= numbers[index - 1]!)) return answer;
  const consequence = 'In the order in which the node executed them; cursors do not depend on it';
  return { answer: `not ${answer}`, consequence };
}
