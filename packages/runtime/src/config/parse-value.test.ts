import { describe, expect, it } from '@jest/globals';
import { parseDatabaseUrl, parseHttpHeaders, parseNetworks, parseUrls } from './parse-value.js';

describe('a URL of a variable', () => {
  const PROTOCOLS = ['redis:', 'rediss:', 'grpc:', 'https:'];

  it.each(['redis://a', 'rediss://u:p@[::1]:6380/1', 'grpc://node.example:50051', 'https://a/b'])(
    'may be %s',
    (text) => {
      expect(parseUrls(text, PROTOCOLS)).toEqual([text]);
    },
  );

  it.each([
    ['redis:://127.0.0.1', 'begins with redis:// or'],
    ['redis:127.0.0.1', 'begins with'],
    ['rediss://', 'must name a host'],
    ['redis:///0', 'must name a host'],
    ['https:///a', 'must name a host'],
    ['grpc:://node:1', 'begins with'],
    ['grpc://:9000', 'must name a host'],
    ['redis://a:0', 'a port from 1 to 65535'],
    ['redis://a:99999', 'a port from 1 to 65535'],
    ['redis://a,redis:///1', 'must name a host'],
  ])('is not %s', (text, reason) => {
    expect(() => parseUrls(text, PROTOCOLS)).toThrow(reason);
  });

  it('of a database may name the folder of a socket', () => {
    const socket = 'postgres:///shop?host=/run/postgresql';
    expect(parseDatabaseUrl(socket)).toBe(socket);
    for (const wrong of ['postgres:///shop', 'postgres:://x', 'postgres://u:s3cret@/shop']) {
      expect(() => parseDatabaseUrl(wrong)).toThrow(/^must (?!.*(shop|s3cret))/);
    }
  });
});

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
    ['a value that is not a string', '{"x":{"secret-value":1}}'],
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
