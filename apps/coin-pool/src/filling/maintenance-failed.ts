/** A split, consolidation or withdrawal was refused, or cost gas and made nothing: repeating it at once would not help. */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}
