/** Who reaches what: documentation, coin-pool and Redis; one system serves all of it. */
import './documentation-paths.cases.js';
import './internal-network.cases.js';
import './redis-access.cases.js';
