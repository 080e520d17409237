/** What attackers try against access rules; one system serves all of it. */
import './command-riders.cases.js';
import './full-hook.cases.js';
import './nested-types.cases.js';
import './own-coins-and-storage.cases.js';
import './vacuous-expressions.cases.js';
