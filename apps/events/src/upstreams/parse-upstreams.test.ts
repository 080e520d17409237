import { describe, expect, it } from '@jest/globals';
import { parseUpstreams } from './parse-upstreams.js';

describe('parseUpstreams', () => {
  it('reads the dialects, or null if none is named', () => {
    const text = 'legacy+http://a:1, iota+https://b/x\nhttp://c:2';
    expect(parseUpstreams(text)).toEqual([
      { dialect: 'legacy', url: 'http://a:1' },
      { dialect: 'iota', url: 'https://b/x' },
      { dialect: null, url: 'http://c:2' },
    ]);
  });

  it.each(['sui+http://a', 'ftp://a', 'a:1', 'legacy+', 'http://'])('refuses %s', (text) => {
    expect(() => parseUpstreams(text)).toThrow(/list of http\(s\) URLs/);
  });
});
