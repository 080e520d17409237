/** What uses a whole pool; one system with a small one serves all of it. */
import './reserve-gas.cases.js';
import './release-gas.cases.js';
import './dry-run-tx.cases.js';
import './build-tx.cases.js';
import './attacks/inputs-no-validator-accepts.cases.js';
