import { LEDGER_MAX_GAS_BUDGET } from '@forecourt/contracts';
import { readYaml, type YamlValue } from '@forecourt/policy/yaml';

/** A configuration of IOTA's gas station as settings of Forecourt. */
export interface ImportedSettings {
  /** Environment variables with their values, in the order of the file. */
  readonly variables: ReadonlyMap<string, string>;
  /** Settings without a counterpart and steps to take by hand, a sentence each. */
  readonly remarks: readonly string[];
}

/**
 * Reads a complete `config.yaml` of IOTA's gas station (its `GasStationConfig`). `file`: its path, to which
 * ACCESS_RULES_FILE is set if it contains rules. Throws `InvalidFile` naming the line, also for a setting
 * that is not known.
 */
export function importSettings(text: string, file: string): ImportedSettings {
  const root = readYaml(text);
  const variables = new Map<string, string>();
  const remarks: string[] = [];
  const copy = (key: string, variable: string, read: (value: YamlValue) => string = textOf) => {
    const value = root.take(key);
    if (value !== null) variables.set(variable, read(value));
  };
  importSigner(root, variables);
  copy('rpc-host-ip', 'LISTEN_HOST');
  importPorts(root, variables, remarks);
  copy('metrics-port', 'GATEWAY_METRICS_PORT', portOf);
  const redis = root.take('storage-config')?.map().take('redis')?.map();
  const redisUrl = redis?.take('redis-url') ?? redis?.take('redis_url');
  if (redisUrl) variables.set('REDIS_URL', redisUrl.text());
  copy('fullnode-url', 'LEDGER_URL');
  copy('fullnode-basic-auth', 'LEDGER_HEADERS', basicAuthOf);
  const coins = root.take('coin-init-config')?.map();
  const balance = coins?.take('target-init-balance');
  if (balance) variables.set('POOL_TARGET_BALANCE', amountOf(balance));
  if (coins?.take('refresh-interval-sec')) {
    remarks.push(
      'refresh-interval-sec is left out: a pool looks for new coins every POOL_SCAN_MS, by default every 10 s.',
    );
  }
  copy('max-gas-budget', 'MAX_GAS_BUDGET', budgetOf);
  copy('checkpoint-inclusion-timeout-ms', 'LOCAL_EXECUTION_WAIT_MS', amountOf);
  importRules(root, file, variables, remarks);
  root.refuseOthers('the configuration');
  remarks.push(
    'GAS_STATION_AUTH has the same name and meaning: give every gateway the token that clients use.',
    'FLEET_SECRET is new: make one with `openssl rand -base64 32` and give it to gateways and coin-pools.',
    'A Redis that another gas station has used holds its data under other keys; give Forecourt a separate database.',
  );
  return { variables, remarks };
}

function importSigner(root: YamlValue, variables: Map<string, string>): void {
  const signer = root.take('signer-config')?.map();
  const keypair = signer?.take('local')?.map().take('keypair');
  if (keypair) variables.set('SPONSOR_KEYS', keypair.text());
  const sidecar = signer?.take('sidecar')?.map();
  const url = sidecar?.take('sidecar-url') ?? sidecar?.take('sidecar_url');
  if (url) variables.set('SPONSOR_KEYS', url.parse(sidecarEntry));
  sidecar?.refuseOthers('signer-config.sidecar');
  signer?.refuseOthers('signer-config');
}

/** The sidecar's URL as an entry of SPONSOR_KEYS; usually without the sponsor's address. */
function sidecarEntry(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be a URL of http or https');
  return `sidecar+${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

/** Existing clients keep their port, which answers in their dialect. */
function importPorts(root: YamlValue, variables: Map<string, string>, remarks: string[]): void {
  const value = root.take('rpc-port');
  if (value === null) return;
  const port = Number(portOf(value));
  variables.set('GATEWAY_COMPATIBILITY_PORT', String(port));
  variables.set('GATEWAY_PORT', String(port + 1));
  remarks.push(
    `Existing clients keep port ${port}, which answers in their dialect (docs/compatibility.md); the API as documented, and /rpc, are at port ${port + 1}.`,
  );
}

function importRules(
  root: YamlValue,
  file: string,
  variables: Map<string, string>,
  remarks: string[],
): void {
  const hasRules = root.take('access-controller') !== null;
  const cap = root.take('daily-gas-usage-cap');
  if (hasRules) variables.set('ACCESS_RULES_FILE', file);
  if (!hasRules && cap !== null) {
    remarks.push(
      `daily-gas-usage-cap (${amountOf(cap)}) applies once there are access rules: add \`access-controller: { access-policy: allow-all }\` to the file and name it as ACCESS_RULES_FILE.`,
    );
  }
}

const textOf = (value: YamlValue) => value.text();

function amountOf(value: YamlValue): string {
  return value.parse((text) => {
    if (!/^\d{1,20}$/.test(text)) throw new Error('must be an integer');
    return text;
  });
}

function portOf(value: YamlValue): string {
  return value.parse((text) => {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_534)
      throw new Error('must be a port up to 65534');
    return text;
  });
}

function budgetOf(value: YamlValue): string {
  return String(Math.min(Number(amountOf(value)), LEDGER_MAX_GAS_BUDGET));
}

/** A user name and a password. */
function basicAuthOf(value: YamlValue): string {
  const [user, password] = value.items().map((item) => item.text());
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  return JSON.stringify({ authorization: `Basic ${credentials}` });
}

/**
 * A file of environment variables, with the remarks as comments. Values are quoted as shells and Compose read
 * them.
 */
export function writeEnvironment({ variables, remarks }: ImportedSettings): string {
  const lines = [...variables].map(([name, value]) => `${name}=${quote(value)}`);
  return `${[...remarks.map((remark) => `# ${remark}`), ...lines].join('\n')}\n`;
}

function quote(value: string): string {
  return /^[\w.:/@+=,-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
