import { setFlagsFromString } from 'node:v8';

/** V8's own factor is about 1.2 for a small heap in a process that allocates slowly. */
const GROWTH_PERCENT = 300;

/**
 * Lets the heap grow to four times its used size before V8 marks all of it again. Each marking delays responses by
 * 50 ms or more, and clients that send much cause one every few seconds. Costs memory: services with about 50 MB in
 * use reach 200 MB.
 */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
