import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { anchorOf, readWords } from './read-words.js';

const PAGE = new URL('../../../../../docs/console.md', import.meta.url);

describe('the words of the console', () => {
  it('are ten, in plain text of the documentation', () => {
    const words = readWords(readFileSync(PAGE, 'utf8'));
    expect(words.map(anchorOf)).toEqual([
      'sponsor',
      'gas-coin',
      'reservation',
      'budget',
      'digest',
      'sponsorship',
      'refusal',
      'quarantine',
      'epoch',
      'token',
    ]);
    for (const { meaning } of words) {
      expect(meaning.length).toBeGreaterThan(40);
      // The console shows no Markdown.
      expect(meaning).not.toMatch(/[`*_[\]|#]/);
    }
  });
});
