import { describe, expect, it } from '@jest/globals';
import { parseHttpHeaders } from './http-headers.js';

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
