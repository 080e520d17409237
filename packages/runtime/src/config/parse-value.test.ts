import { describe, expect, it } from '@jest/globals';
import { parseHttpHeaders, parseNetworks } from './parse-value.js';

describe('parseHttpHeaders', () => {
  it('reads lines of names and values, the values unchanged', () => {
    const text = 'Authorization: Basic dXNlcjpwYXNz\n\nX-Api-Key:a:b,c;d\r\n';
    expect(parseHttpHeaders(text)).toEqual({
      authorization: 'Basic dXNlcjpwYXNz',
      'x-api-key': 'a:b,c;d',
    });
  });

  it('reads a JSON object', () => {
    expect(parseHttpHeaders('{"X-Api-Key":"a b"}')).toEqual({ 'x-api-key': 'a b' });
  });

  it.each([
    ['no colon', 'Bearer secret-value'],
    ['no name', ': secret-value'],
    ['a name with a space', 'X Key: secret-value'],
    ['a value that a header cannot have', '{"x":"secret-value\\n"}'],
    ['a value that is no string', '{"x":{"secret-value":1}}'],
    ['broken JSON', '{"x":"secret-value"'],
  ])('refuses %s without repeating the value', (_what, text) => {
    let message = '';
    try {
      parseHttpHeaders(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^must /);
    expect(message).not.toContain('secret-value');
  });
});

describe('parseNetworks', () => {
  it('contains the addresses of its networks and no others', () => {
    const networks = parseNetworks('10.0.0.0/8, 192.0.2.7\nfd00::/8,::1');
    for (const address of ['10.255.0.1', '192.0.2.7', 'fdff::1', '::1']) {
      expect(networks.includes(address)).toBe(true);
    }
    for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '::2', '', 'nobody']) {
      expect(networks.includes(address)).toBe(false);
    }
  });

  it('accepts an empty list', () => {
    expect(parseNetworks('').includes('127.0.0.1')).toBe(false);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'host', '10.0.0.0/8/8', '10.0.0.0/'])(
    'refuses %s',
    (text) => {
      expect(() => parseNetworks(text)).toThrow(/addresses and networks/);
    },
  );
});
