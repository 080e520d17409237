import { describe, expect, it } from '@jest/globals';
import { redactUrls } from './redact-urls.js';

describe('a URL in a text for people', () => {
  it.each([
    ['https://opa.example.com/policy.wasm', 'https://opa.example.com/policy.wasm'],
    ['https://h/policy.wasm?token=S3CRET', 'https://h/policy.wasm?***'],
    ['https://h/policy.wasm#S3CRET', 'https://h/policy.wasm#***'],
    ['https://user:p@S3CRET@h:81/x', 'https://***@h:81/x'],
    ['redis://:S3/CRET@h:6379/0', 'redis://***'],
    ['redis://:S3?CRET@h', 'redis://***'],
    ['https://h/x?mail=a@S3CRET', 'https://***'],
    ['redis://:S3 CRET@h', 'redis://***@h'],
    ['connect to https://u:S3CRET@h/x failed', 'connect to https://***@h/x failed'],
    ['tokens at a://b?S3CRET and c+d://:S3CRET@e', 'tokens at a://b?*** and c+d://***@e'],
    ['no URL: ?a=b @c', 'no URL: ?a=b @c'],
  ])('%s has no secret', (text, expected) => {
    expect(redactUrls(text)).toBe(expected);
    expect(redactUrls(text)).not.toMatch(/S3|CRET/);
  });

  it('is found in a long text at once', () => {
    const began = performance.now();
    redactUrls(`x ${'a'.repeat(1_000_000)} https://u:p@h`);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
