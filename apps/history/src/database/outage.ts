/** Classes of SQLSTATE that say something about the data of a statement, or its size: repeating it fails again. */
const ABOUT_DATA = /^(21|22|23|54)/;
/** No partition of the table takes the row. */
const NO_PARTITION = '23514';
/** Beyond its time limit. */
const CANCELED = '57014';

interface DatabaseError {
  readonly code?: string;
}

/** Whether the database refused the data: it would refuse them again. */
export function isAboutData(error: unknown): boolean {
  const { code } = error as DatabaseError;
  return code !== undefined && ABOUT_DATA.test(code) && code !== NO_PARTITION;
}

/** Whether a partition is missing. */
export function isWithoutPartition(error: unknown): boolean {
  return (error as DatabaseError).code === NO_PARTITION;
}

/** Whether a statement took longer than it may. */
export function isTooSlow(error: unknown): boolean {
  return (error as DatabaseError | null)?.code === CANCELED;
}
