import type { Replacement } from './mutation.js';

const OPERATORS: Readonly<Record<string, string>> = {
  '==': '~=',
  '~=': '==',
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  '+': '-',
  '-': '+',
  '*': '/',
  and: 'or',
  or: 'and',
  'not ': '',
  true: 'false',
  false: 'true',
};
/** Comments, texts, calls of Redis on a separate line, and the operators above. */
const TOKEN =
  /--[^\n]*|'[^'\n]*'|"[^"\n]*"|^[ \t]*redis\.call\([^\n]*\)$|[=~<>]=|[<>+*]|(?<=[\w)] )-(?= )|\b(?:and|or|true|false)\b|\bnot /gm;

/** Every possible change of an operator, or of a call for its effect, in a script. */
export function mutateLua(text: string): Replacement[] {
  return [...text.matchAll(TOKEN)].flatMap(({ 0: token, index: start }) => {
    const by = token.trimStart().startsWith('redis.call') ? '' : OPERATORS[token];
    return by === undefined ? [] : [{ start, end: start + token.length, text: by }];
  });
}
