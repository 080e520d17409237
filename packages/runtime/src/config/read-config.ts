import { readFileSync } from 'node:fs';
import type { Variable } from './variable.js';
import { ConfigError } from './config-error.js';

/** A table of variables: the service's name for each → the variable. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of a table, read-only. */
export type ConfigOf<T extends Variables> = {
  readonly [Name in keyof T]: T[Name] extends Variable<infer Value> ? Value : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a table of variables once. `check` reports problems between values. Throws `ConfigError` with all
 * problems at once, so that a service never listens with a partly valid configuration.
 */
export function readConfig<const T extends Variables>(
  variables: T,
  environment: Environment,
  check: (config: ConfigOf<T>) => readonly string[] = () => [],
): ConfigOf<T> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(variables)) {
    try {
      values[key] = readVariable(variable, environment);
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  const config = Object.freeze(values) as ConfigOf<T>;
  if (problems.length === 0) problems.push(...check(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readVariable<T>(variable: Variable<T>, environment: Environment): T | undefined {
  const text = readText(variable, environment);
  if (text === '') {
    if (variable.required) throw new Error(`is not set: ${variable.description}`);
    return variable.absent;
  }
  try {
    return variable.parse(text);
  } catch (error) {
    const arrived = variable.secret ? '' : `, not ${JSON.stringify(text)}`;
    throw new Error(`${(error as Error).message}${arrived}`, { cause: error });
  }
}

function readText(variable: Variable<unknown>, environment: Environment): string {
  const { name } = variable;
  if (name === '') return '';
  const text = environment[name]?.trim() ?? '';
  const file = environment[`${name}_FILE`]?.trim() ?? '';
  if (!variable.secret || file === '') return text;
  if (text !== '') throw new Error(`and ${name}_FILE are both set; set one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`cannot be read from the file that ${name}_FILE names, ${file}`, {
      cause,
    });
  }
}

/** A row of the configuration table in the documentation. */
export interface VariableRow {
  readonly name: string;
  readonly kind: string;
  readonly default: string;
  readonly description: string;
  /** Never shown; a file can supply it. */
  readonly secret: boolean;
}

/** The rows of a table of variables, in the order of their definition. */
export function describeVariables(variables: Variables): VariableRow[] {
  return Object.values(variables).flatMap((variable) => {
    const { name, secret, kind, defaultText, required, description } = variable;
    if (name === '' || variable.isDescribed === false) return [];
    return {
      name: secret ? `${name}, ${name}_FILE` : name,
      kind,
      default: defaultText ?? (required ? 'required' : 'none'),
      description,
      secret,
    };
  });
}
