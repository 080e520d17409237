import {
  type Endpoint,
  parseEndpoint,
  parseInteger,
  parseNetworks,
  parseUrl,
  parseUrls,
  splitList,
} from './parse-value.js';

/** One environment variable: its parser and its documentation. */
export interface Variable<T> {
  /** Empty where the value is fixed. */
  readonly name: string;
  readonly description: string;
  /** Type and bounds in words: `integer, 1 to 600000 (ms)`. */
  readonly kind: string;
  /** The default as text; null when there is none. */
  readonly defaultText: string | null;
  /** Never shown in errors or logs; a file can supply it as well, `<name>_FILE`. */
  readonly secret: boolean;
  /** `null` when the variable is absent and has a default or may be absent. */
  readonly absent: T | undefined;
  readonly required: boolean;
  /** False: another variable's description covers it. */
  readonly isDescribed?: false;
  /** Reads a non-empty text; throws `Error` with the expected form. */
  parse(text: string): T;
}

interface Described {
  readonly description: string;
}
type WithDefault<T> = Described & { readonly default: T };

function define<T>(
  name: string,
  options: Described & { readonly default?: T; readonly optional?: boolean },
  kind: string,
  parse: (text: string) => T,
  more: {
    readonly secret?: boolean;
    readonly absent?: T;
    readonly write?: (value: T) => string;
  } = {},
): Variable<T> {
  const write = more.write ?? String;
  return {
    name,
    description: options.description,
    kind,
    parse,
    secret: more.secret ?? false,
    defaultText: options.default === undefined ? null : write(options.default),
    absent: options.default === undefined ? more.absent : options.default,
    required: options.default === undefined && !options.optional,
  };
}

/** A variable with its default given as text. */
function defineWritten<T>(
  name: string,
  options: WithDefault<string>,
  kind: string,
  parse: (text: string) => T,
  secret = false,
): Variable<T> {
  const { default: written } = options;
  const write = () => (written === '' ? 'none' : written);
  return define<T>(name, { ...options, default: parse(written) }, kind, parse, { write, secret });
}

const integerKind = (min: number, max: number, unit?: string) =>
  `integer, ${min} to ${max}${unit ? ` (${unit})` : ''}`;

/** Builders of typed variables. */
export const variable = {
  /** A value of the configuration that no environment variable changes; unit tests may. */
  fixed<T>(value: T): Variable<T> {
    return define('', { description: '', default: value }, '', () => value);
  },

  /** An integer from 1 to a million by default. */
  integer(
    name: string,
    options: WithDefault<number> & { min?: number; max?: number; unit?: string },
  ) {
    const { min = 1, max = 1_000_000, unit } = options;
    return define(name, options, integerKind(min, max, unit), (text) =>
      parseInteger(text, min, max),
    );
  },

  /**
   * An integer with a default that depends on another value, described by `write`; null where it is not set.
   */
  derivedInteger(
    name: string,
    options: Described & { min?: number; max?: number; unit?: string; write: string },
  ) {
    const { min = 1, max = 1_000_000, unit, write } = options;
    const parse = (text: string) => parseInteger(text, min, max);
    const kind = integerKind(min, max, unit);
    return define<number | null>(name, { ...options, default: null }, kind, parse, {
      write: () => write,
    });
  },

  /** A TCP port; 0: any free one. */
  port(name: string, options: WithDefault<number>) {
    return define(name, options, 'port', (text) => parseInteger(text, 0, 65_535));
  },

  /** An exact integer; without `max` any u64. */
  bigint(
    name: string,
    options: WithDefault<bigint> & { min: bigint; max?: bigint; unit?: string },
  ) {
    const { min, max = 2n ** 64n - 1n, unit } = options;
    const bounds = options.max === undefined ? `from ${min}` : `${min} to ${max}`;
    return define(name, options, `integer, ${bounds}${unit ? ` (${unit})` : ''}`, (text) => {
      const value = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
      if (value < min || value > max) throw new Error(`must be an integer from ${min} to ${max}`);
      return value;
    });
  },

  /** A value of another type; `parse` throws `Error` with the expected form. */
  parsed<T>(
    name: string,
    options: WithDefault<T> & { kind: string; parse: (text: string) => T; write: string },
  ) {
    return define(name, options, options.kind, options.parse, { write: () => options.write });
  },

  text(name: string, options: WithDefault<string>) {
    return define(name, options, 'text', (text) => text);
  },

  optionalText(name: string, options: Described) {
    return define<string | null>(name, { ...options, optional: true }, 'text', (text) => text, {
      absent: null,
    });
  },

  /** The path of the file that supplies the secret `name`, which is described there; null where none does. */
  fileOf(name: string): Variable<string | null> {
    const path = variable.optionalText(`${name}_FILE`, { description: '' });
    return { ...path, isDescribed: false };
  },

  boolean(name: string, options: WithDefault<boolean>) {
    return define(name, options, '`true` or `false`', (text) => {
      if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
      return text === 'true';
    });
  },

  choice<const T extends string>(
    name: string,
    options: WithDefault<NoInfer<T>> & { values: readonly T[] },
  ) {
    const kind = options.values.map((value) => `\`${value}\``).join(', ');
    return define<T>(name, options, kind, (text) => {
      const value = options.values.find((one) => one === text);
      if (value === undefined) throw new Error(`must be one of ${options.values.join(', ')}`);
      return value;
    });
  },

  /** `secret`: it may hold a password. */
  url(
    name: string,
    options: WithDefault<string> & { protocols: readonly string[]; secret?: boolean },
  ) {
    const { protocols, secret } = options;
    return define(name, options, 'URL', (text) => parseUrl(text, protocols), { secret });
  },

  optionalUrl(name: string, options: Described & { protocols: readonly string[] }) {
    const parse = (text: string): string | null => parseUrl(text, options.protocols);
    return define(name, { ...options, optional: true }, 'URL', parse, { absent: null });
  },

  /** URLs separated by commas; a comma that no protocol follows is part of its URL. */
  urls(
    name: string,
    options: WithDefault<string> & { protocols: readonly string[]; secret?: boolean },
  ) {
    const { protocols, secret } = options;
    const parse = (text: string) => parseUrls(text, protocols);
    return defineWritten(name, options, 'list of URLs', parse, secret);
  },

  /** As `urls`; an empty list where absent. */
  optionalUrls(name: string, options: Described & { protocols: readonly string[] }) {
    const parse = (text: string) => parseUrls(text, options.protocols);
    return define(name, { ...options, optional: true }, 'list of URLs', parse, { absent: [] });
  },

  /** `host:port,host:port`. */
  endpoints(name: string, options: WithDefault<string>) {
    const parse = (text: string): readonly Endpoint[] => splitList(text).map(parseEndpoint);
    return defineWritten(name, options, 'list of host:port', parse);
  },

  /** Addresses and networks: `10.0.0.0/8,192.0.2.7`. */
  networks(name: string, options: WithDefault<string>) {
    return defineWritten(name, options, 'list of addresses and networks', parseNetworks);
  },

  /** One secret; also from `<name>_FILE`. */
  optionalSecret(name: string, options: Described) {
    const parse = (text: string): string | null => text;
    return define(name, { ...options, optional: true }, 'secret', parse, {
      secret: true,
      absent: null,
    });
  },

  /**
   * A secret of another type; also from `<name>_FILE`. `parse` throws `Error` with the expected form, without
   * the secret.
   */
  optionalSecretParsed<T>(
    name: string,
    options: Described & { kind: string; absent: T; parse: (text: string) => T },
  ) {
    return define<T>(name, { ...options, optional: true }, options.kind, options.parse, {
      secret: true,
      absent: options.absent,
    });
  },

  /**
   * Secrets separated by commas or white space, each of at least `minLength` characters; also from
   * `<name>_FILE`.
   */
  secretList(name: string, options: Described & { optional?: boolean; minLength?: number }) {
    const { minLength = 1 } = options;
    const kind = `list of secrets${minLength > 1 ? `, ${minLength} characters or more` : ''}`;
    const parse = (text: string): readonly string[] => {
      const secrets = splitList(text);
      if (secrets.some(({ length }) => length < minLength)) {
        throw new Error(`must be a list of secrets of at least ${minLength} characters each`);
      }
      return secrets;
    };
    return define(name, options, kind, parse, { secret: true, absent: [] });
  },
};
