/** One measured figure, with its reference in the same run. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The name of the reference. */
  readonly reference?: string;
  /** The figure as a share of the reference. */
  readonly ratio?: number;
  readonly target?: string;
  /** Whether the target is met; absent where there is none. */
  readonly isMet?: boolean;
}

const HEADER = ['what', 'measured', 'ratio', 'reference in the same run', 'target', 'met'];

/** The rows as a Markdown table. */
export function rowsAsMarkdown(rows: readonly Row[]): string {
  return asTable([HEADER, ...rows.map((row) => cellsOf(row))]);
}

/** The same table, beside the earlier rows of the same name. */
export function comparisonAsMarkdown(rows: readonly Row[], before: readonly Row[]): string {
  const header = [HEADER[0]!, 'before', 'ratio before', ...HEADER.slice(1)];
  const lines = rows.map((row) => {
    const earlier = before.find(({ what }) => what === row.what);
    const [what, ...cells] = cellsOf(row);
    return [what, earlier && measured(earlier), earlier?.ratio?.toFixed(2), ...cells];
  });
  return asTable([header, ...lines]);
}

type Cell = string | undefined;

function cellsOf(row: Row): Cell[] {
  const { what, ratio, reference, target, isMet } = row;
  const met = isMet === undefined ? undefined : isMet ? 'yes' : 'no';
  return [what, measured(row), ratio?.toFixed(2), reference, target, met];
}

function measured({ value, unit }: Row): string {
  return `${showNumber(value)} ${unit}`;
}

function asTable(lines: readonly (readonly Cell[])[]): string {
  const [header, ...others] = lines;
  return [header!, header!.map(() => '---'), ...others]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function showNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}
