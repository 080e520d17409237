import { setTimeout as delay } from 'node:timers/promises';
import {
  type Answer,
  type Application,
  buildSponsored,
  executeTx,
  type Reservation,
  reserveGas,
} from './application.js';
import type { Balancer } from './balancer.js';
import { postRpc } from './events-client.js';

/** Of a client after each request; more load than this says nothing more. */
const PAUSE_MS = 250;
const REFUSED_MS = 20;

/** What clients saw that repeat a request only when nobody listens, or when they are asked to wait (503, `Retry-After`). */
export interface Seen {
  /** Digests whose effects were answered. */
  readonly executed: string[];
  /** Pages of events that were answered. */
  pages: number;
  /** Reason → requests that were repeated because of a 503 that says when. */
  readonly asked: Record<string, number>;
  /** Requests that were repeated because nobody listened. */
  refused: number;
  /** Everything else, in words. */
  readonly failures: string[];
}

type Reply = Pick<Answer, 'status' | 'headers' | 'body'>;

/** Begins to sponsor transactions and to read events; `stop` lets what is under way end, and tells what was seen. */
export function startLoad(balancer: Balancer, clients: number): { stop: () => Promise<Seen> } {
  const seen: Seen = { executed: [], pages: 0, asked: {}, refused: 0, failures: [] };
  const stopping = new AbortController();
  const again = async (client: () => Promise<void>) => {
    while (!stopping.signal.aborted) {
      await client();
      await delay(PAUSE_MS);
    }
  };
  const running = [
    ...Array.from({ length: clients }, () => again(() => sponsorOne(balancer, seen))),
    again(() => readEvents(balancer, seen)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return seen;
    },
  };
}

async function sponsorOne(balancer: Balancer, seen: Seen): Promise<void> {
  const reserved = await request(balancer, seen, 'reserve', (at) => reserveGas(at));
  if (!reserved) return;
  const reservation = reserved.body.result as unknown as Reservation;
  const transaction = await buildSponsored(await balancer.choose(), reservation);
  const executed = await request(balancer, seen, 'execute', (at) =>
    executeTx(at, reservation, transaction),
  );
  const status = executed?.body.effects?.status.status;
  if (status === 'success') seen.executed.push(transaction.digest);
  else seen.failures.push(`${transaction.digest} ended with ${status}`);
}

async function readEvents(balancer: Balancer, seen: Seen): Promise<void> {
  const body = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params: ['All', null, 5] };
  const read = await request(balancer, seen, 'getEvents', async (at) => {
    const { status, body: page } = await postRpc(at.url, body);
    return { status, headers: new Headers(), body: page as Answer['body'] };
  });
  if (read?.body.result) seen.pages += 1;
  else seen.failures.push(`getEvents ended with ${JSON.stringify(read?.body)}`);
}

/** The answer of status 200; null after a failure, which has been noted. */
async function request(
  balancer: Balancer,
  seen: Seen,
  what: string,
  send: (application: Application) => Promise<Reply>,
): Promise<Reply | null> {
  for (;;) {
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
    const reason = String(reply.body.error);
    seen.asked[reason] = (seen.asked[reason] ?? 0) + 1;
    await delay(Number(retryAfter) * 1_000);
  }
}
