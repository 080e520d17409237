import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSponsored, reserved } from './application.js';
import { parseCurl } from './parse-curl.js';
import { useSystem } from './use-system.js';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
const EXAMPLE = /```bash\n(curl [\s\S]*?)```\s+```json\n([\s\S]*?)```/g;
const examples = [...README.matchAll(EXAMPLE)].map(([, command, answer]) => ({
  command: command!.trim(),
  answer: JSON.parse(answer!) as unknown,
}));

const system = useSystem({ events: 1 });

describe('the curl examples in the README', () => {
  it('are all found', () => {
    expect(examples).toHaveLength((README.match(/^curl /gm) ?? []).length);
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it.each(examples)('$command', async ({ command, answer }) => {
    const { url, ...request } = parseCurl(command, await variablesOf(command));
    const response = await fetch(
      url.replace('http://127.0.0.1:9527', system.application.url),
      request,
    );
    const body: unknown = await response.json();
    expect([response.status, body]).toEqual([200, likeDocumented(answer)]);
  });
});

async function variablesOf(command: string): Promise<Record<string, string>> {
  const { application } = system;
  const { token } = application;
  if (!command.includes('$TX_BYTES')) return { TOKEN: token };
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation);
  return {
    TOKEN: token,
    RESERVATION_ID: String(reservation.reservation_id),
    TX_BYTES: transaction.tx_bytes,
    USER_SIG: transaction.user_sig,
  };
}

/** The documented keys with values of their types; words that cannot vary, such as `success`, literally. */
function likeDocumented(documented: unknown): unknown {
  if (Array.isArray(documented)) {
    return expect.arrayContaining(documented.map(likeDocumented));
  }
  if (documented !== null && typeof documented === 'object') {
    const entries = Object.entries(documented).map(([key, value]) => [key, likeDocumented(value)]);
    return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
  }
  if (typeof documented === 'number') return expect.any(Number);
  if (typeof documented === 'string' && /…|^\d+\.\d+\.\d+-/.test(documented)) {
    return expect.any(String);
  }
  return documented;
}
