import { describe, expect, it } from '@jest/globals';
import { clientOf } from './client-address.js';
import { findClient, findForwardedClient } from './client-address.js';

const isTrusted = (address: string) => address.startsWith('10.');
const request = (remoteAddress: string, headers: Record<string, string> = {}) => ({
  headers,
  socket: { remoteAddress },
});

describe('the client of a request', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('maps address %s to client %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  it('is the peer when the peer is not trusted, whatever its headers claim', () => {
    const headers = { 'x-forwarded-for': '192.0.2.9', 'x-forecourt-client': '192.0.2.9' };
    expect(findClient(request('::ffff:192.0.2.1', headers), isTrusted)).toBe('192.0.2.1');
    expect(findForwardedClient(request('192.0.2.1', headers), isTrusted)).toBe('192.0.2.1');
  });

  it('is the last address in X-Forwarded-For before the trusted proxies', () => {
    const headers = { 'x-forwarded-for': '198.51.100.7, 192.0.2.9, 10.0.0.2' };
    expect(findClient(request('10.0.0.1', headers), isTrusted)).toBe('192.0.2.9');
  });

  it.each([
    ['192.0.2.9:51234', '192.0.2.9'],
    ['198.51.100.7:1, 192.0.2.9:2, 10.0.0.2:3', '192.0.2.9'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['"192.0.2.9"', '192.0.2.9'],
    ['198.51.100.7, "192.0.2.9:47011", "10.0.0.2"', '192.0.2.9'],
    ['"[2001:db8:1:2::9]:443"', '2001:db8:1:2::/64'],
    ['::ffff:c000:209', '192.0.2.9'],
    ['0:0:0:0:0:FFFF:C000:0209', '192.0.2.9'],
    ['"[::ffff:192.0.2.9]:1"', '192.0.2.9'],
    ['2001:db8:ffff:2::9', '2001:db8:ffff:2::/64'],
  ])('is found in X-Forwarded-For with ports and brackets: %s', (hops, client) => {
    const headers = { 'x-forwarded-for': hops };
    expect(findClient(request('10.0.0.1', headers), isTrusted)).toBe(client);
  });

  it.each([
    '192.0.2.9:',
    '192.0.2.9:x',
    '[192.0.2.9',
    '2001:db8::9]:1',
    '192.0.2:9',
    '"192.0.2.9',
    '"',
  ])('is not read from %s in X-Forwarded-For', (hops) => {
    const headers = { 'x-forwarded-for': hops };
    expect(findClient(request('10.0.0.1', headers), isTrusted)).toBe('10.0.0.1');
  });

  it('is the last trusted proxy when X-Forwarded-For is absent or invalid', () => {
    expect(findClient(request('10.0.0.1'), isTrusted)).toBe('10.0.0.1');
    const headers = { 'x-forwarded-for': '192.0.2.9, who knows' };
    expect(findClient(request('10.0.0.1', headers), isTrusted)).toBe('10.0.0.1');
  });

  it('is the one that a trusted gateway names', () => {
    const headers = { 'x-forecourt-client': '192.0.2.9' };
    expect(findForwardedClient(request('10.0.0.1', headers), isTrusted)).toBe('192.0.2.9');
  });
});
