import { expect } from '@jest/globals';

/** A `curl` command of the documentation, and its answer. */
export interface CurlExample {
  readonly command: string;
  readonly answer: unknown;
}

const CURL_EXAMPLE = /```bash\n(curl [\s\S]*?)```\s+```json\n([\s\S]*?)```/g;

/** Every `curl` command of a page. Throws if one is not followed by its answer. */
export function readCurlExamples(page: string): readonly CurlExample[] {
  const examples = [...page.matchAll(CURL_EXAMPLE)].map(([, command, answer]) => ({
    command: command!.trim(),
    answer: JSON.parse(answer!) as unknown,
  }));
  const commands = page.match(/^curl /gm) ?? [];
  if (examples.length === commands.length) return examples;
  throw new Error(`${commands.length - examples.length} curl commands have no answer`);
}

/** The blocks of code in a language. */
export function readCode(page: string, language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, code]) => code!,
  );
}

/**
 * A matcher with the documented keys and the types of their values; constant words, such as `success`, must be equal.
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
