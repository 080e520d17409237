import type { ReservationSubject } from '../access-subject.js';
import { ANY } from './read-addresses.js';
import type { ReadCondition } from './condition.js';

/** `token`: the name of the token's entry, a list of names, or `*`. */
export const readToken: ReadCondition<(subject: ReservationSubject) => boolean> = (value) => {
  const names = new Set(value.list().map((name) => name.text()));
  return ({ caller }) => names.has(ANY) || names.has(caller);
};
