import { describe, expect, it } from '@jest/globals';
import { ledgerVariables } from './ledger-variables.js';
import { readConfig } from './read-config.js';

/** A node's time limit for finality. */
const NODE_WAITS_MS = 30_000;

const read = (environment: Record<string, string>) => readConfig(ledgerVariables, environment);

describe('ledgerVariables', () => {
  it('name one local node by default, with a time limit above that of finality', () => {
    const config = read({});
    expect(config.ledgerUrls).toEqual(['http://127.0.0.1:9000']);
    expect(config.ledgerReadUrls).toEqual([]);
    expect(config.ledgerHeaders).toEqual({});
    expect(config.ledgerTimeoutMs).toBeGreaterThan(NODE_WAITS_MS);
  });

  it('accept several nodes in order of preference', () => {
    const urls = { LEDGER_URL: 'https://a, https://b/x', LEDGER_READ_URL: 'http://c,http://d' };
    expect(read(urls)).toMatchObject({
      ledgerUrls: ['https://a', 'https://b/x'],
      ledgerReadUrls: ['http://c', 'http://d'],
    });
  });

  it('report a problem without showing a header', () => {
    const environment = { LEDGER_URL: 'ftp://a', LEDGER_HEADERS: 'Bearer secret-value' };
    expect(() => read(environment)).toThrow(/LEDGER_URL must .*http.*[^]*LEDGER_HEADERS must /);
    expect(() => read(environment)).not.toThrow('secret-value');
  });
});
