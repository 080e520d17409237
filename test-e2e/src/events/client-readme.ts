import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';

const README = readFileSync(join(ROOT, 'packages', 'client', 'README.md'), 'utf8');

/** Every example in TypeScript, in order. */
export const examples: readonly string[] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, text]) => text!,
);

/** The examples that are complete programs: those that name addresses and print something. */
export const programs = examples
  .filter((text) => text.includes('http://127.0.0.1') && text.includes('console.log('))
  .filter((text) => !text.includes('export '));

/** The backend of the smallest page. */
export const backend = [...README.matchAll(/```js\n([\s\S]*?)```/g)]
  .map(([, text]) => text!)
  .find((text) => text.includes('createServer'))!;

/** The packages of each `npm install` in the README, options included. */
export const installed: readonly (readonly string[])[] = [
  ...README.matchAll(/^npm install (.*)$/gm),
].map(([, text]) => text!.split(' '));
