import type { ReservationSubject } from '../access-subject.js';
import type { ReadCondition } from './condition.js';
import { fits, readComparison } from './read-comparison.js';

type ReadReservationCondition = ReadCondition<(subject: ReservationSubject) => boolean>;

/** `reservation-gas-budget`: the reserved budget. */
export const readReservationGasBudget: ReadReservationCondition = (value) => {
  const comparison = value.parse(readComparison);
  return ({ reservation }) => fits(comparison, BigInt(reservation.gasBudget));
};

/** `reservation-duration-secs`: the duration of the reservation. */
export const readReservationDuration: ReadReservationCondition = (value) => {
  const comparison = value.parse(readComparison);
  return ({ reservation }) => fits(comparison, BigInt(reservation.durationSecs));
};
