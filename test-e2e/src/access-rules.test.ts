/** Decisions of the access rules, their limits, and attacks against them; all tests share one system. */
import './spending-limits.cases.js';
import './access-decisions.cases.js';
import './access-rules.cases.js';
import './dry-run-rules.cases.js';
import './attacks/rules/command-riders.cases.js';
import './attacks/rules/full-hook.cases.js';
import './attacks/rules/stalling-hook.cases.js';
import './attacks/rules/nested-types.cases.js';
import './attacks/rules/own-coins-and-storage.cases.js';
import './attacks/rules/vacuous-expressions.cases.js';
