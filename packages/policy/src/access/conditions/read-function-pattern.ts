import type { MoveCall } from '@forecourt/ledger';
import { ANY, readAddress } from './read-addresses.js';

export type MatchCall = (call: Pick<MoveCall, 'packageId' | 'module' | 'function'>) => boolean;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `<package>::<module>::<function>`, with `*` for any part. Throws `Error` with the required format. */
export function readFunctionPattern(text: string): MatchCall {
  const [packageId = '', module, name, ...rest] = text.split('::');
  const isName = (part: string | undefined) => part === ANY || IDENTIFIER.test(part ?? '');
  if (rest.length > 0 || !isName(module) || !isName(name)) {
    throw new Error('must be <package>::<module>::<function>, or a list of these; * is any');
  }
  const wanted = packageId === ANY ? null : readAddress(packageId);
  return (call) =>
    (wanted === null || call.packageId === wanted) &&
    (module === ANY || call.module === module) &&
    (name === ANY || call.function === name);
}
