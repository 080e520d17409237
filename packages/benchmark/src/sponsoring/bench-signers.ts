import { KeyServer } from '@forecourt/testing/key-services';
import { median, type Row } from '../row.js';
import { BenchSystem } from './bench-system.js';
import { type Effort, warmUp } from './effort.js';

const LATENCY_MS = 50;
const USERS = 128;
const SHARE = 0.9;

/** Measures one executor with a key in a service that signs slowly, beside one with a local key. */
export async function benchSigners({ say, quick }: Effort): Promise<Row[]> {
  say('signers: starting systems with a local key and with a key in a service …');
  const keys = await KeyServer.start({ protocol: 'sidecar' });
  const systems: BenchSystem[] = [];
  try {
    const held = { address: keys.key.address, secret: keys.entry({ 'in-flight': '200' }) };
    for (const sponsor of [undefined, held]) {
      systems.push(await BenchSystem.start({ coins: 2_000, ...(sponsor && { sponsor }) }));
    }
    keys.delayMs = LATENCY_MS;
    const pace = { users: USERS, seconds: quick ? 4 : 8 };
    for (const { load, sponsoring } of systems) {
      await warmUp(() => load.run({ ...sponsoring, ...pace }), say);
    }
    const rounds: (readonly [number, number])[] = [];
    for (let round = 1; round <= (quick ? 2 : 5); round++) {
      const rates: number[] = [];
      for (const { load, sponsoring } of systems) {
        rates.push((await load.run({ ...sponsoring, ...pace })).perSecond);
      }
      say(`  round ${round}: ${rates.map((rate) => `${Math.round(rate)} /s`).join(', ')}`);
      rounds.push([rates[0]!, rates[1]!]);
    }
    const ratio = median(rounds.map(([local, service]) => service / local));
    return [
      {
        what: `sponsored transactions by one executor, ${USERS} users, a key service of ${LATENCY_MS} ms`,
        value: median(rounds.map(([, service]) => service)),
        unit: '/s',
        ratio,
        reference: `a local key, ${Math.round(median(rounds.map(([local]) => local)))} /s`,
        target: `${SHARE} of it`,
        isMet: ratio >= SHARE,
      },
    ];
  } finally {
    for (const system of systems) await system.stop();
    await keys.stop();
  }
}
