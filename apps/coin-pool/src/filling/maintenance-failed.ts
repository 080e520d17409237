/** Splits or folds cost gas and made nothing, or were refused: doing the same again at once would not help. */
export class MaintenanceFailed extends Error {
  override readonly name = 'MaintenanceFailed';
}
