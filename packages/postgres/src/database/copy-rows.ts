import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A value of a column: an array becomes a text[], an object JSON text. */
export type Cell = string | number | null | readonly string[] | JsonCell;

/** A value that is stored as JSON. */
interface JsonCell {
  readonly json: unknown;
}

/** Text beyond this length is written at once. */
const CHUNK = 256 * 1024;

/** Copies rows into a table. */
export async function copyRows<Column extends string>(
  client: ClientBase,
  table: string,
  columns: readonly Column[],
  rows: Iterable<Readonly<Record<Column, Cell>>>,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  await pipeline(Readable.from(linesOf(columns, rows)), stream);
}

function* linesOf<Column extends string>(
  columns: readonly Column[],
  rows: Iterable<Readonly<Record<Column, Cell>>>,
): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += `${columns.map((column) => encodeCell(row[column])).join('\t')}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function encodeCell(cell: Cell): string {
  if (cell === null) return '\\N';
  return storable(textOf(cell)).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);
}

function textOf(cell: NonNullable<Cell>): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return String(cell);
  if ('json' in cell) return JSON.stringify(cell.json).replaceAll('\\u0000', '\\ufffd');
  const elements = cell.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`);
  return `{${elements.join(',')}}`;
}

/** PostgreSQL stores every character but one. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
