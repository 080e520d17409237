import type { FleetProblem } from '../generated/gateway-types.js';

/** The parts that cannot be read, with the reasons. */
export function describeProblems(problems: readonly FleetProblem[]): string {
  return problems.map(({ part, message }) => `${part}: ${message}`).join('; ');
}
