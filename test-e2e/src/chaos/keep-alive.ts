import type { Failpoint } from '@forecourt/runtime/failpoints';

/** Failpoints that are armed in every life, with the number of hits still due. */
export type Seldom = Map<Failpoint, number>;
