import { expect } from '@jest/globals';

/** The blocks of code in a language. */
export function readCode(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code]) => code!,
  );
}

/**
 * A matcher with the documented keys and the types of their values; constant words, such as `success`, must
 * be equal.
 */
export function likeDocumented(documented: unknown): unknown {
  if (Array.isArray(documented)) {
    return expect.arrayContaining(documented.map(likeDocumented));
  }
  if (documented !== null && typeof documented === 'object') {
    const entries = Object.entries(documented).map(([key, value]) => [key, likeDocumented(value)]);
    return expect.objectContaining(Object.fromEntries(entries) as Record<string, unknown>);
  }
  if (typeof documented === 'number') return expect.any(Number);
  if (typeof documented === 'string' && /…|^\d+\.\d+\.\d+-/.test(documented)) {
    return expect.any(String);
  }
  return documented;
}
