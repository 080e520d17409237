/**
 * A call that reserves coins may have reserved them although its answer was lost. They return at their deadline, but
 * until then each repetition keeps more of them from other callers.
 */
export const MAX_RESENDS_OF_RESERVATIONS = 2;
