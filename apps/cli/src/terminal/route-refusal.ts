/** The gas station's own words about why it does not do what it was asked for. */
export class RouteRefusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** Whether the record does not exist, which is an answer and not a failure. */
    readonly isNoRecord = false,
  ) {
    super(message);
  }
}
