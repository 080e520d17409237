/** What uses a whole pool; one system with a small one serves all of it. */
import './reserve-gas.cases.js';
import './attacks/inputs-no-validator-accepts.cases.js';
