import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  type Answer,
  type Application,
  buildSponsored,
  executeTx,
  type Reservation,
  reserveGas,
  type SignedTransaction,
} from './application.js';
import type { Balancer } from './balancer.js';
import { postRpc } from './events-client.js';

/** Pause of a client after each request; a higher load would not show more. */
const PAUSE_MS = 250;
const REFUSED_MS = 20;
/** No restart of a replica keeps clients waiting for this long. */
const PATIENCE_MS = 60_000;

/** A transaction with known effects. */
export interface ExecutedCall {
  readonly reservation: Reservation;
  readonly transaction: SignedTransaction;
  readonly effects: Readonly<Record<string, unknown>>;
}

/**
 * Observations of clients that repeat a request only if no gateway listens, or if they are asked to wait
 * (503, `Retry-After`).
 */
export interface Seen {
  readonly executed: ExecutedCall[];
  /** Repeated calls that returned the same effects as before. */
  repeated: number;
  /** Pages of events that were returned. */
  pages: number;
  /** Reason → requests that were repeated because of a 503 with `Retry-After`. */
  readonly requests: Record<string, number>;
  /** Requests that were repeated because no gateway listened. */
  refused: number;
  /** All other answers, as text. */
  readonly failures: string[];
}

type Reply = Pick<Answer, 'status' | 'headers' | 'body'>;

/**
 * Begins to sponsor transactions, to repeat earlier calls and to read events. `seen` grows; `stop` completes
 * the requests under way.
 */
export function startSteadyLoad(
  balancer: Balancer,
  clients: number,
): { readonly seen: Seen; stop: () => Promise<Seen> } {
  const seen: Seen = {
    executed: [],
    repeated: 0,
    pages: 0,
    requests: {},
    refused: 0,
    failures: [],
  };
  const stopping = new AbortController();
  const again = async (client: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await client().catch((error: unknown) => void seen.failures.push(String(error)));
      await delay(PAUSE_MS);
    }
  };
  const running = [
    ...Array.from({ length: clients }, () => again(() => sponsorOne(balancer, seen))),
    again(() => readEvents(balancer, seen)),
  ];
  return {
    seen,
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return seen;
    },
  };
}

async function sponsorOne(balancer: Balancer, seen: Seen): Promise<void> {
  const reserved = await request(balancer, seen, 'reserve', (application) =>
    reserveGas(application),
  );
  if (!reserved) return;
  const reservation = reserved.body.result as unknown as Reservation;
  const transaction = await buildSponsored(await balancer.choose(), reservation);
  const executed = await request(balancer, seen, 'execute', (application) =>
    executeTx(application, reservation, transaction),
  );
  if (!executed) return;
  const { effects } = executed.body;
  if (effects?.status.status !== 'success') {
    seen.failures.push(`${transaction.digest} ended with ${effects?.status.status}`);
    return;
  }
  seen.executed.push({ reservation, transaction, effects });
  await repeatCall(balancer, seen, seen.executed[Math.floor(seen.executed.length / 2)]!);
}

/** Repeats an answered call: the answer must be the same. */
export async function repeatCall(
  balancer: Balancer,
  seen: Seen,
  { reservation, transaction, effects }: ExecutedCall,
): Promise<void> {
  const repeated = await request(balancer, seen, 'execute again', (application) =>
    executeTx(application, reservation, transaction),
  );
  if (!repeated) return;
  if (isDeepStrictEqual(repeated.body.effects, effects)) seen.repeated += 1;
  else seen.failures.push(`${transaction.digest}, repeated, returned other effects`);
}

async function readEvents(balancer: Balancer, seen: Seen): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: ['All', null, 5] };
  const read = await request(balancer, seen, 'getEvents', async (application) => {
    const { status, body: page } = await postRpc(application.url, body);
    return { status, headers: new Headers(), body: page as Answer['body'] };
  });
  if (!read) return;
  if (read.body.result) seen.pages += 1;
  else seen.failures.push(`getEvents answered 200 with ${JSON.stringify(read.body)}`);
}

/** The answer of status 200; null after a failure, which was recorded. */
async function request(
  balancer: Balancer,
  seen: Seen,
  what: string,
  send: (application: Application) => Promise<Reply>,
): Promise<Reply | null> {
  const deadline = performance.now() + PATIENCE_MS;
  let reason = 'no gateway listens';
  for (;;) {
    if (performance.now() > deadline) {
      seen.failures.push(`${what}: asked to wait for more than ${PATIENCE_MS} ms: ${reason}`);
      return null;
    }
    const application = await balancer.choose();
    let reply: Reply;
    try {
      reply = await send(application);
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== 'ECONNREFUSED') {
        seen.failures.push(`${what} at ${application.url}: ${code ?? String(error)}`);
        return null;
      }
      seen.refused += 1;
      await delay(REFUSED_MS);
      continue;
    }
    if (reply.status === 200) return reply;
    const retryAfter = reply.headers.get('retry-after');
    if (reply.status !== 503 || retryAfter === null) {
      seen.failures.push(`${what}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return null;
    }
    reason = String(reply.body.error);
    seen.requests[reason] = (seen.requests[reason] ?? 0) + 1;
    await delay(Number(retryAfter) * 1_000);
  }
}
