/**
 * A split, consolidation or withdrawal was refused, or cost gas and made nothing, or a pool could not be rebuilt: repeating it
 * at once would not help.
 */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}
