import { dirname, resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { readOneOf, readYaml, type YamlValue } from '../yaml/index.js';
import {
  accessPolicies,
  type AccessRules,
  deniedReservations,
  type RuleSet,
} from './access-rules.js';
import type { PrintedText, ReadContext, SponsorNames } from './conditions/condition.js';
import { readAddress } from './conditions/read-operands.js';
import { readRule } from './read-rule.js';
import { type BudgetName, readCap, readDailyCap, type UsageLimit } from './usage/usage-limit.js';

/** The other sections of a complete configuration of IOTA's gas station (its `GasStationConfig`). */
const OTHER_SECTIONS = [
  'signer-config',
  'rpc-host-ip',
  'rpc-port',
  'metrics-port',
  'storage-config',
  'fullnode-url',
  'fullnode-basic-auth',
  'coin-init-config',
  'max-gas-budget',
  'checkpoint-inclusion-timeout-ms',
];

export interface RuleOptions {
  /** Conditions that need the network throw `AccessUndecided`. */
  readonly isOffline?: boolean;
  /** Receives what Rego policies print. */
  readonly onPrint?: (text: PrintedText) => void;
}

/**
 * Reads a file of rules in the format of IOTA's gas station, with extensions. Of the other sections of that
 * format, only `daily-gas-usage-cap` is used: it limits spending like a sponsor budget. Unknown keys are
 * refused, since a misspelt condition would be ignored. `file`: the path of the text; files that it names are
 * relative to it, and read with `read`. Throws `InvalidFile` naming the line.
 */
export async function readAccessRules(
  text: string,
  file: string,
  read: (path: string) => Promise<Buffer> = readFile,
  { isOffline = false, onPrint = () => undefined }: RuleOptions = {},
): Promise<AccessRules> {
  const readSources = (sponsorNames: SponsorNames): ReadContext => ({
    sponsorNames,
    isOffline,
    onPrint,
    readFile: async (path) => {
      const full = resolve(dirname(file), path.text().replace(/^file:\/\//, ''));
      try {
        return await read(full);
      } catch (cause) {
        return path.fail(`names a file that cannot be read: ${(cause as Error).message}`);
      }
    },
  });
  const root = readYaml(text);
  const controller = root.require('access-controller').map();
  const dailyCap = root.take('daily-gas-usage-cap')?.parse(readDailyCap) ?? null;
  for (const section of OTHER_SECTIONS) root.take(section);
  root.refuseOthers();
  const sponsorNames = readSponsorNames(controller.take('sponsors'));
  const sources = readSources(sponsorNames);
  const ruleSet = await readRuleSet(controller, null, sources);
  const ruleSets = new Map<string, RuleSet>();
  for (const [name, value] of controller.take('rule-sets')?.map().takeAll() ?? []) {
    const map = value.map();
    ruleSets.set(name, await readRuleSet(map, name, sources));
    map.refuseOthers();
  }
  const dryRun = controller.take('dry-run')?.parse(readOneOf(['true', 'false'])) === 'true';
  const rules: AccessRules = {
    ...ruleSet,
    ruleSets,
    sponsorNames,
    sponsorBudget: [
      ...readCaps(controller.take('sponsor-budget'), SPONSOR_BUDGET),
      ...(dailyCap === null ? [] : [dailyCap]),
    ],
    deniedReservation:
      controller.take('denied-reservation')?.parse(readOneOf(deniedReservations)) ?? 'keep',
    dryRun,
  };
  controller.refuseOthers();
  return rules;
}

const SPONSOR_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** `{<name>: <address>}`. Throws `InvalidFile`. */
function readSponsorNames(value: YamlValue | null): SponsorNames {
  const entries = (value?.map().takeAll() ?? []).map(([name, address]) => {
    if (!SPONSOR_NAME.test(name)) {
      address.fail(
        `has the name ${name}; names are 1 to 32 of a-z, 0-9, - and _, beginning with a letter`,
      );
    }
    return [name, address.parse(readAddress)] as const;
  });
  return new Map(entries);
}

const SPONSOR_BUDGET = { kind: 'sponsor', name: 'sponsor-budget' } as const;

/** One upper limit on gas, or a list. Throws `InvalidFile`. */
export function readCaps(value: YamlValue | null, budget: BudgetName): UsageLimit[] {
  return (value?.list() ?? []).map((one) => readCap(one, budget));
}

/** `ruleSet`: its name; null: the general rules. */
async function readRuleSet(
  map: YamlValue,
  ruleSet: string | null,
  sources: ReadContext,
): Promise<RuleSet> {
  const policy = map.require('access-policy').parse(readOneOf(accessPolicies));
  const rules = [];
  const names = new Set<string>();
  for (const value of map.take('rules')?.items() ?? []) {
    const rule = await readRule(value, ruleSet, sources);
    if (names.has(rule.name)) value.fail(`duplicates the name of another rule, ${rule.name}`);
    names.add(rule.name);
    rules.push(rule);
  }
  return { policy, rules };
}
