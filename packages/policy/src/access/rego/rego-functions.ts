import { findExpense } from '@forecourt/resilience';
import { RE2JS } from 're2js';
import { parse, stringify } from 'yaml';
import { decodeTyped } from './bcs-decode-typed.js';

/**
 * More than any text for people needs; a number in a policy must not decide how much memory its text takes.
 */
const WIDEST = 100;
/** YAML takes about 10 µs for each character, and more for many keys. */
const LONGEST_YAML = 4_096;
const PLACEHOLDER = /%([-+ #0]*)(\d*)(?:\.(\d*))?(.)/gsu;

/** Takes values, and returns JSON; undefined is Rego's undefined. */
type RegoFunction = (...args: readonly unknown[]) => string | undefined;

/** The functions of Rego that OPA leaves to the host of a compiled policy. */
export const REGO_FUNCTIONS: ReadonlyMap<string, RegoFunction> = new Map<string, RegoFunction>([
  ['bcs.decode_typed', decodeTyped],
  ['json.is_valid', (text) => whetherRead(cheapJson(text), JSON.parse)],
  ['regex.split', (pattern, text) => JSON.stringify(split(String(pattern), String(text)))],
  ['sprintf', (format, values) => JSON.stringify(sprintf(format, values))],
  ['yaml.is_valid', (text) => whetherRead(cheapYaml(text), readYaml)],
  ['yaml.marshal', (value) => JSON.stringify(stringify(value))],
  ['yaml.unmarshal', (text) => JSON.stringify(readYaml(cheapYaml(text)))],
]);

function split(pattern: string, text: string): string[] {
  return RE2JS.compile(pattern).split(text, -1);
}

/** Throws `Error`, by which the policy fails, for JSON that would be expensive to parse. */
function cheapJson(text: unknown): unknown {
  const expense = typeof text === 'string' ? findExpense(text) : null;
  if (expense !== null) throw new Error(`json.is_valid: ${expense}`);
  return text;
}

/** The same for YAML, whatever is in it. */
function cheapYaml(text: unknown): unknown {
  if (typeof text === 'string' && text.length > LONGEST_YAML) {
    throw new Error(`yaml: a text of more than ${LONGEST_YAML} characters`);
  }
  return text;
}

/** Undefined, as Rego's value, for what is not text. */
function whetherRead(text: unknown, read: (text: string) => unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    read(text);
    return 'true';
  } catch {
    return 'false';
  }
}

function readYaml(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  return parse(text, { logLevel: 'error' });
}

/** Go's verbs for the values of JSON. Throws `Error` for others, and where a value is missing. */
function sprintf(format: unknown, values: unknown): string {
  if (typeof format !== 'string' || !Array.isArray(values)) throw new Error('sprintf: no format');
  let next = 0;
  return format.replace(PLACEHOLDER, (all, flags: string, width: string, digits, verb: string) => {
    if (verb === '%') return '%';
    if (next === values.length) throw new Error(`sprintf: ${all} has no value`);
    const [least, precision] = [Number(width), digits === undefined ? null : Number(digits)];
    if (least > WIDEST || (precision ?? 0) > WIDEST) {
      throw new Error(`sprintf: ${all} is wider than ${WIDEST}`);
    }
    const text = write(values[next++], verb, precision);
    const isSigned = flags.includes('+') && 'defg'.includes(verb) && !text.startsWith('-');
    const signed = isSigned ? `+${text}` : text;
    if (flags.includes('-')) return signed.padEnd(least);
    if (!flags.includes('0')) return signed.padStart(least);
    const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(signed)!;
    return sign + rest.padStart(least - sign.length, '0');
  });
}

const BASES = new Map([
  ['b', 2],
  ['o', 8],
  ['d', 10],
  ['x', 16],
  ['X', 16],
]);

function write(value: unknown, verb: string, precision: number | null): string {
  if (verb === 'v') return typeof value === 'string' ? value : JSON.stringify(value);
  if (verb === 's') {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return precision === null ? text : text.slice(0, precision);
  }
  if (verb === 'q' && typeof value === 'string') return JSON.stringify(value);
  if (verb === 't' && typeof value === 'boolean') return String(value);
  const base = BASES.get(verb);
  if (base !== undefined && Number.isInteger(value)) {
    const digits = BigInt(value as number).toString(base);
    return verb === 'X' ? digits.toUpperCase() : digits;
  }
  if (typeof value === 'number') {
    if (verb === 'c') return String.fromCodePoint(value);
    if (verb === 'e') return value.toExponential(precision ?? 6);
    if (verb === 'f') return value.toFixed(precision ?? 6);
    if (verb === 'g') return precision === null ? String(value) : value.toPrecision(precision || 1);
  }
  throw new Error(`sprintf: %${verb} cannot write ${typeof value}`);
}
