import { readFileSync } from 'node:fs';

/** Base64 from an argument, or from standard input if the argument is `-`. */
export function readBase64(argument: string): string {
  return argument === '-' ? readFileSync(0, 'utf8').trim() : argument;
}
