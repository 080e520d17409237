import type { ReservationSubject } from '../access-subject.js';
import type { ReadCondition } from './condition.js';
import { fits, readComparison } from './read-comparison.js';

type ReadReservationCondition = ReadCondition<(subject: ReservationSubject) => boolean>;

/** `reservation-gas-budget`: the budget that is reserved. */
export const readReservationGasBudget: ReadReservationCondition = (value) => {
  const comparison = value.parse(readComparison);
  return ({ reservation }) => fits(comparison, BigInt(reservation.gasBudget));
};

/** `reservation-duration-secs`: for how long it is reserved. */
export const readReservationDuration: ReadReservationCondition = (value) => {
  const comparison = value.parse(readComparison);
  return ({ reservation }) => fits(comparison, BigInt(reservation.durationSecs));
};
