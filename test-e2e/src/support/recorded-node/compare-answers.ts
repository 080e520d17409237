import type { Answer, RpcError } from './recording.js';

/** Values that differ between any two ledgers. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/0x[0-9a-f]{64}/g, '<id>'],
  [/\b[1-9A-HJ-NP-Za-km-z]{43,44}\b/g, '<digest>'],
  [/SequenceNumber\(\d+\)/g, 'SequenceNumber(<n>)'],
];
/** Keys of a path whose values are compared as texts, instead of only by type. */
const TEXTS = /\.status\.(status|error)$|\.error$/;

/** Differences from the recorded answer in the codes, the texts and the fields that a client can see. */
export function compareAnswers(recorded: Answer, ours: Answer): readonly string[] {
  if (recorded.error || ours.error) {
    const [theirs, mine] = [describe(recorded.error), describe(ours.error)];
    return theirs === mine ? [] : [`node: ${theirs}`, `devnet: ${mine}`];
  }
  const [theirs, mine] = [shapeOf(recorded.result), shapeOf(ours.result)];
  const isUnknown = (path: string, other: Shape) =>
    [...other.emptyLists].some((list) => path.startsWith(list));
  return [
    ...[...theirs.paths]
      .filter((path) => !mine.paths.has(path) && !isUnknown(path, mine))
      .map((path) => `node only: ${path}`),
    ...[...mine.paths]
      .filter((path) => !theirs.paths.has(path) && !isUnknown(path, theirs))
      .map((path) => `devnet only: ${path}`),
  ];
}

function describe(error: RpcError | undefined): string {
  return error === undefined ? 'a result' : normalize(JSON.stringify(error));
}

interface Shape {
  readonly paths: Set<string>;
  /** Empty lists, which do not show the form of their entries. */
  readonly emptyLists: Set<string>;
}

function shapeOf(value: unknown): Shape {
  const shape: Shape = { paths: new Set(), emptyLists: new Set() };
  addShape(shape, '', value);
  return shape;
}

function addShape(shape: Shape, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    shape.paths.add(`${path}[]`);
    if (value.length === 0) shape.emptyLists.add(`${path}[]`);
    for (const item of value as unknown[]) addShape(shape, `${path}[]`, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) addShape(shape, `${path}.${key}`, item);
  } else if (TEXTS.test(path)) {
    shape.paths.add(`${path}: ${normalize(String(value))}`);
  } else {
    shape.paths.add(`${path}: ${value === null ? 'null' : typeof value}`);
  }
}

/** Replaces values that differ between any two ledgers. */
export function normalize(text: string): string {
  return PLACEHOLDERS.reduce((rest, [value, name]) => rest.replace(value, name), text);
}
