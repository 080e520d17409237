/**
 * A call that reserves coins may have reserved them although its answer was lost. They return at their deadline, but each
 * repetition keeps more of them from others until then.
 */
export const MAX_RESENDS_OF_RESERVATIONS = 2;
