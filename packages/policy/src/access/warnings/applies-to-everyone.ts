import type { Condition } from '../conditions/condition.js';
import { ANY } from '../conditions/read-addresses.js';

/** Whether a condition matches every sender: `sender-address: '*'`. */
export function appliesToEveryone({ name, text }: Condition): boolean {
  return name === 'sender-address' && text === ANY;
}
