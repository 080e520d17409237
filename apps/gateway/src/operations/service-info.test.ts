import { describe, expect, it } from '@jest/globals';
import { prefersBareText } from './service-info.controller.js';

describe('an Accept header', () => {
  it.each(['text/plain', 'TEXT/PLAIN; q=0.9', 'text/html, text/plain, */*', 'text/*'])(
    '%p requests bare text',
    (accept) => expect(prefersBareText(accept)).toBe(true),
  );

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/plain',
    '*/*, text/plain',
    'text/html',
  ])('%p does not', (accept) => expect(prefersBareText(accept)).toBe(false));
});
