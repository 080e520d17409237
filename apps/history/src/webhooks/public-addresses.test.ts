import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isPublicAddress, NOT_PUBLIC_IPV4, NOT_PUBLIC_IPV6 } from './public-addresses.js';

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:4860:4860::8888',
  ])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['private', '10.0.0.1'],
    ['CGNAT', '100.64.0.1'],
    ['CGNAT’s end', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback’s end', '127.255.255.254'],
    ['metadata of clouds', '169.254.169.254'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['documentation', '192.0.2.1'],
    ['private', '192.168.1.1'],
    ['benchmarks', '198.19.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv6 loopback in full', '0:0:0:0:0:0:0:1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped in hex', '::ffff:7f00:1'],
    ['IPv4-mapped public', '::ffff:1.1.1.1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['unique local', 'fd00::1'],
    ['unique local', 'fc00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1%eth0'],
    ['site-local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['no address', 'example.com'],
    ['an octal form', '0177.0.0.1'],
    ['nothing', ''],
  ])('refuses %s, %s', (_, address) => expect(isPublicAddress(address)).toBe(false));
});

describe('the network policy of Kubernetes for webhooks', () => {
  it('leaves out the same networks', () => {
    const file = '../../../../docker/helm/forecourt/templates/network-policies.yaml';
    const policy = readFileSync(new URL(file, import.meta.url), 'utf8');
    const networks = policy.match(/(?<=^ +- )[\da-f:.]+\/\d+$/gm);
    expect(networks).toEqual([...NOT_PUBLIC_IPV4, ...NOT_PUBLIC_IPV6]);
  });
});
