import { median, percentile, residentMib } from '@forecourt/testing/figures';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  inheritedEnvironment,
  freePort,
  ServiceProcess,
  startService,
} from '@forecourt/testing/system';
import { startProgram } from '../load/start-program.js';
import type { Row } from '../row.js';
import { say } from '../run-benchmark.js';
import { Audience } from './audience.js';

const SUBSCRIBERS = 1_000;
const PER_EVENT = SUBSCRIBERS / 20;
const BURST = 4_000;
const ROUNDS = 5;
const RATE = 1_000;
const SECONDS = 15;
const STRETCH = 30;

function startEvents(
  upstream: string,
  settings: Record<string, string> = {},
): Promise<ServiceProcess> {
  return freePort().then((port) =>
    startService({
      app: 'events',
      url: `http://127.0.0.1:${port}`,
      logFile: join(mkdtempSync(join(tmpdir(), 'bench-events-')), 'events.log'),
      env: {
        ...inheritedEnvironment(),
        EVENTS_PORT: String(port),
        EVENTS_UPSTREAMS: upstream,
        // All subscribers come from one address, which gets a sixteenth.
        EVENTS_MAX_CONNECTIONS: '1000000',
        EVENTS_MAX_SUBSCRIPTIONS: '1600000',
        ...settings,
      },
    }),
  );
}

async function blast(url: string, count: number, perSecond: number): Promise<void> {
  await fetch(`${url}/blast`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ count, perSecond }),
  });
}

/** Messages per second while `count` events are sent at full speed. */
async function burst(audience: Audience, url: string): Promise<number> {
  const start = performance.now();
  const done = audience.receive(BURST * PER_EVENT);
  await Promise.all([blast(url, BURST, 0), done]);
  return (BURST * PER_EVENT * 1_000) / (performance.now() - start);
}

/** Measures the way from the ledger to a thousand subscribers: rate, delay and memory. */
export async function benchFanOut(soakSeconds: number): Promise<Row[]> {
  say(`fan-out to ${SUBSCRIBERS} subscribers: bare ws broadcast …`);
  const bare = await startProgram(new URL('./bare-broadcast.js', import.meta.url));
  const listeners = new Audience();
  await listeners.join(bare.url, SUBSCRIBERS);
  const upstream = await startProgram(new URL('./blast-upstream.js', import.meta.url));
  // A burst is expected to build a queue.
  const patient = {
    EVENTS_MAX_BUFFERED_BYTES: String(64 * 2 ** 20),
    EVENTS_MEMORY_PER_CLIENT_BYTES: String(16 * 2 ** 30),
    // The memory of all clients together is a third of the heap limit.
    NODE_OPTIONS: '--max-old-space-size=49152',
  };
  const events = await startEvents(upstream.url, patient);
  const audience = new Audience();
  await audience.join(events.url, SUBSCRIBERS);
  try {
    const rounds: { bare: number; own: number }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const figures = {
        bare: await burst(listeners, bare.url),
        own: await burst(audience, upstream.url),
      };
      say(`  round ${round}: ${Math.round(figures.own)} /s, bare ${Math.round(figures.bare)} /s`);
      if (round > 0) rounds.push(figures);
    }
    listeners.leave();
    bare.stop();
    const share = median(rounds.map((figures) => figures.own / figures.bare));

    say(`steady ${RATE} events/s for ${SECONDS} s …`);
    audience.delays = [];
    const start = performance.now();
    const all = audience.receive(RATE * SECONDS * PER_EVENT);
    await Promise.all([blast(upstream.url, RATE * SECONDS, RATE), all]);
    const steady = (RATE * SECONDS * PER_EVENT * 1_000) / (performance.now() - start);
    const p99 = percentile(audience.delays, 0.99);
    audience.leave();
    await events.stop();
    const memory = await soak(upstream.url, soakSeconds);
    return [
      {
        what: `fan-out, messages in bursts to ${SUBSCRIBERS} subscribers`,
        value: median(rounds.map(({ own }) => own)),
        unit: '/s',
        reference: 'a bare ws broadcast of the same messages',
        ratio: share,
        target: '0.6 of it',
        isMet: share >= 0.6,
      },
      {
        what: `fan-out at ${RATE} events/s, messages`,
        value: steady,
        unit: '/s',
        reference: 'all that were due',
        ratio: steady / (RATE * PER_EVENT),
        target: '50 000 /s',
        isMet: steady >= 0.98 * RATE * PER_EVENT,
      },
      {
        what: 'delay from ledger to client at that rate, p99',
        value: p99,
        unit: 'ms',
        target: 'below 250 ms',
        isMet: p99 < 250,
      },
      memory,
    ];
  } finally {
    audience.leave();
    await events.stop();
    upstream.stop();
  }
}

/** Half of the clients read slowly: the service must close them instead of growing. */
async function soak(upstreamUrl: string, seconds: number): Promise<Row> {
  say(`${seconds} s with half of the clients reading slowly …`);
  const events = await startEvents(upstreamUrl);
  const audience = new Audience();
  await audience.join(events.url, SUBSCRIBERS);
  const slow = audience.clients.filter((_client, index) => index % 2 === 0);
  const timer = setInterval(() => {
    for (const { socket } of slow) {
      socket.resume();
      setTimeout(() => socket.pause(), 2);
    }
  }, 1_000);
  for (const { socket } of slow) socket.pause();
  const resident: number[] = [];
  const sampling = setInterval(() => {
    resident.push(residentMib(events.pid!));
    if (resident.length % 30 === 0)
      say(`  ${resident.length} s: ${Math.round(resident.at(-1)!)} MiB`);
  }, 1_000);
  // Split into stretches, because a client limits its wait for one response.
  for (let left = seconds; left > 0; left -= STRETCH) {
    await blast(upstreamUrl, RATE * Math.min(left, STRETCH), RATE);
  }
  clearInterval(sampling);
  clearInterval(timer);
  audience.leave();
  await events.stop();
  const third = Math.floor(resident.length / 3);
  const early = median(resident.slice(third, 2 * third));
  const late = median(resident.slice(2 * third));
  return {
    what: `memory of the service over ${seconds} s, half of the clients slow`,
    value: late,
    unit: 'MiB',
    reference: 'the same run a third earlier',
    ratio: late / early,
    target: 'flat: below 1.15',
    isMet: late / early < 1.15,
  };
}
