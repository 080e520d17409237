import type { Variables } from './read-config.js';

/** A row of the configuration table in the documentation. */
export interface VariableRow {
  readonly name: string;
  readonly kind: string;
  readonly default: string;
  readonly description: string;
}

/** The rows of a table of variables, in the order of their definition. */
export function describeVariables(variables: Variables): VariableRow[] {
  return Object.values(variables).map((variable) => ({
    name: variable.secret ? `${variable.name}, ${variable.name}_FILE` : variable.name,
    kind: variable.kind,
    default: variable.defaultText ?? (variable.required ? 'required' : 'none'),
    description: variable.formerName
      ? `${variable.description} (formerly \`${variable.formerName}\`, which is still read)`
      : variable.description,
  }));
}
