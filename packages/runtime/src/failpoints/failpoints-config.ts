import { type Environment, readConfig, variable } from '../config/index.js';
import { type Failpoint, failpoints } from './failpoints.js';

const variables = {
  points: variable.parsed('FORECOURT_FAILPOINTS', {
    kind: 'list of <point>=<n>',
    default: new Map<Failpoint, number>(),
    write: 'none',
    description: 'For tests: the process kills itself when it passes a failpoint for the n-th time',
    parse: parsePoints,
  }),
  environment: variable.text('NODE_ENV', {
    default: '',
    description: '`production`: failpoints are refused',
  }),
};

/**
 * Reads the failpoints to arm. Throws `ConfigError` for an unknown name, an invalid count, and any failpoint
 * in production.
 */
export function readFailpoints(
  environment: Environment = process.env,
): ReadonlyMap<Failpoint, number> {
  const config = readConfig(variables, environment, ({ points, environment: name }) =>
    points.size > 0 && name === 'production'
      ? ['FORECOURT_FAILPOINTS is for tests; it is refused where NODE_ENV is production']
      : [],
  );
  return config.points;
}

function parsePoints(text: string): Map<Failpoint, number> {
  return new Map(text.split(',').map(parsePoint));
}

function parsePoint(text: string): [Failpoint, number] {
  const [name = '', count = ''] = text.split('=');
  if (!Object.hasOwn(failpoints, name)) throw new Error(`must name failpoints; ${name} is not one`);
  if (!/^[1-9]\d{0,8}$/.test(count))
    throw new Error('must give each failpoint a count: <point>=<n>');
  return [name as Failpoint, Number(count)];
}
