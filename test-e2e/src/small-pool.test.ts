/** Tests that use a whole pool; all share one system with a small pool. */
import './reserve-gas.cases.js';
import './release-gas.cases.js';
import './dry-run-tx.cases.js';
import './build-tx.cases.js';
import './attacks/inputs-no-validator-accepts.cases.js';
