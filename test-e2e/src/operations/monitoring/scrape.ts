/** One line of an exposition. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The parsed metrics of a service. */
export interface Exposition {
  readonly samples: readonly Sample[];
  /** Metric → counter, gauge, histogram or summary. */
  readonly types: ReadonlyMap<string, string>;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<name>[a-zA-Z_]\w*)="(?<value>(?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const PARTS = /_(?:bucket|sum|count)$/;

/** Reads the Prometheus text format (version 0.0.4). Throws naming the first invalid line. */
export function parseExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no line break');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    const [, metric, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (metric !== undefined && type !== undefined) {
      if (types.has(metric)) throw new Error(`${metric} is typed twice`);
      types.set(metric, type);
      continue;
    }
    const sample = parseSample(line);
    const family = types.has(sample.name) ? sample.name : sample.name.replace(PARTS, '');
    if (!types.has(family)) throw new Error(`${sample.name} has no type`);
    const series = line.slice(0, line.lastIndexOf(' '));
    if (seen.has(series)) throw new Error(`${series} occurs twice`);
    seen.add(series);
    samples.push(sample);
  }
  return { samples, types };
}

function parseSample(line: string): Sample {
  const { name, labels = '', value } = LINE.exec(line)?.groups ?? {};
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`);
  const found: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labels.length) {
    const label = LABEL.exec(labels);
    if (!label) throw new Error(`labels cannot be read: ${line}`);
    found[label.groups!['name']!] = label.groups!['value']!;
  }
  const number = value === '+Inf' ? Infinity : Number(value);
  // Prometheus accepts NaN in upper and lower case.
  if (Number.isNaN(number) && !/^nan$/i.test(value)) throw new Error(`no number: ${line}`);
  return { name, labels: found, value: number };
}

/** Reads the metrics of a service. */
export async function scrape(url: string): Promise<Exposition> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return parseExposition(await response.text());
}

/** The sum of a metric's samples with these labels. */
export function sumOf(
  { samples }: Exposition,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
