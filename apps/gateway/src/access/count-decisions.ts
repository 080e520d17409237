import type { Metrics } from '@forecourt/runtime/metrics';
import type { AuditedDecision } from './audited-decision.js';

/** Counts the decisions of the access rules by rule; rules beyond `MAX_RULES` are counted together. */
export function countDecisions(metrics: Metrics): (decision: AuditedDecision) => void {
  const decisions = metrics.counter<{ stage: string; outcome: string; rule: string }>({
    name: 'access_decisions_total',
    help: 'Decisions of the access rules: when, what, and by which rule.',
    labels: ['stage', 'outcome', 'rule'],
  });
  const rules = new Set<string>();
  return ({ stage, outcome, rule }) => {
    const name = rule?.name ?? 'none';
    if (rules.size < MAX_RULES) rules.add(name);
    decisions.add({ stage, outcome, rule: rules.has(name) ? name : 'others' });
  };
}

/** Each rule is a time series in whatever collects the metrics. */
const MAX_RULES = 1_000;
