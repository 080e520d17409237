import { NodeFailure } from '../transport/node-failure.js';
import { type Finding, fine, notice, type Questioner, textOf } from './questions.js';

const SOCKET_MS = 5_000;

/** Whether the node responds to calls without the configured headers. */
export async function examineHeaders(questions: Questioner): Promise<Finding> {
  const names = Object.keys(questions.node.headers);
  if (names.length === 0) return fine('headers', 'none sent', 'The node requires none');
  const sent = `sent: ${names.join(', ')}`;
  try {
    await questions.ask('iota_getChainIdentifier', [], {});
    return notice('headers', sent, 'The node responds without them too');
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return fine('headers', `${sent}; required`, 'LEDGER_HEADERS must be set for every service');
  }
}

/** Whether the node accepts WebSockets. */
export async function examineWebSocket({ node }: Questioner): Promise<Finding> {
  const url = node.url.replace(/^http/, 'ws');
  const outcome = await new Promise<string | null>((resolve) => {
    const socket = new WebSocket(url);
    const late = setTimeout(() => resolve('no response'), SOCKET_MS);
    const end = (result: string | null) => {
      clearTimeout(late);
      socket.close();
      resolve(result);
    };
    socket.addEventListener('open', () => end(null));
    socket.addEventListener('error', () => end('refused'));
  });
  return outcome === null
    ? fine(
        'WebSocket',
        'accepted',
        'It signals Move events at once; others are read four times a second',
      )
    : fine('WebSocket', outcome, 'Not needed: live events are read from checkpoints');
}

/** Duration of a small call to the node. */
export async function examineLatency(questions: Questioner): Promise<Finding> {
  const milliseconds: number[] = [];
  try {
    for (let call = 0; call < 50; call++) {
      const startedAt = performance.now();
      await questions.ask('iota_getChainIdentifier');
      milliseconds.push(performance.now() - startedAt);
    }
  } catch (error) {
    return notice('latency', textOf(error), 'The node fails intermittently');
  }
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
  const answer = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  return fine('latency', answer, 'A sponsored transaction needs four or more calls');
}

/** Reports whether the node limited the rate of calls, also when twenty calls arrive at once. */
export async function examineRateLimit(questions: Questioner): Promise<Finding> {
  const atOnce = Array.from({ length: 20 }, () => questions.ask('iota_getChainIdentifier'));
  const failures = (await Promise.allSettled(atOnce)).filter(({ status }) => status === 'rejected');
  const { asked, limited } = questions;
  if (limited === 0 && failures.length === 0) {
    return fine('rate limit', `none in ${asked} calls, 20 of them at once`, 'More may be limited');
  }
  return notice(
    'rate limit',
    `${limited} of ${asked} calls limited, ${failures.length} failed`,
    'Calls are repeated after Retry-After, which delays transactions; ask for a higher limit',
  );
}
