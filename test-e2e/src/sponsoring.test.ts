/** Access to routes, then reserve and execute, one caller at a time; all tests share one system. */
import './attacks/documentation-paths.cases.js';
import './attacks/internal-network.cases.js';
import './attacks/redis-access.cases.js';
import './authorization.cases.js';
import './sponsor-transaction.cases.js';
import './execute-options.cases.js';
import './cross-origin.cases.js';
import './compatibility.cases.js';
import './execute-refusals.cases.js';
import './unexecutable-transactions.cases.js';
import './attacks/gas-price.cases.js';
import './attacks/locking-other-callers-objects.cases.js';
import './equivocation.cases.js';
