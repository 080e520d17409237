import { createHash } from 'node:crypto';
import type { CalledFunction } from '@forecourt/sponsorship';

const MAX_KNOWN = 10_000;
const known = new Map<string, string>();

/** The id of a function: a hash of its full name. */
export function functionId({ package: packageId, module, function: name }: CalledFunction): string {
  const full = `${packageId}::${module}::${name}`;
  const found = known.get(full);
  if (found !== undefined) return found;
  const id = String(createHash('sha256').update(full).digest().readBigInt64BE());
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(full, id);
  return id;
}
