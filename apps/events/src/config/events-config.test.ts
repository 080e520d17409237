import { describe, expect, it } from '@jest/globals';
import { readEventsConfig } from './events-config.js';

describe('EVENTS_UPSTREAM_HEADERS', () => {
  it('is never shown in an error', () => {
    const read = () => readEventsConfig({ EVENTS_UPSTREAM_HEADERS: 'secret without a colon' });
    expect(read).toThrow(/EVENTS_UPSTREAM_HEADERS must/);
    expect(read).not.toThrow(/secret/);
  });
});

describe('EVENTS_UPSTREAMS', () => {
  const read = (text: string) => readEventsConfig({ EVENTS_UPSTREAMS: text }).upstreams;

  it('names dialects, or none', () => {
    expect(read('legacy+http://a:1, iota+https://b/x\nhttp://c:2')).toEqual([
      { dialect: 'legacy', url: 'http://a:1' },
      { dialect: 'iota', url: 'https://b/x' },
      { dialect: null, url: 'http://c:2' },
    ]);
  });

  it.each([
    'sui+http://a',
    'ftp://a',
    'a:1',
    'legacy+',
    'http://',
    'iota+http:://a',
    'grpc:///a',
    'grpc://a:0',
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow(/EVENTS_UPSTREAMS must (?:be a list of http|name a host)/);
  });
});
