/**
 * A split, consolidation or withdrawal was refused, or cost gas without a result, or a pool could not be
 * rebuilt: an immediate repetition would not help.
 */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}
