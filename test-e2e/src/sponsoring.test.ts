/** Reserve and execute, one caller at a time; one system serves all of it. */
import './sponsor-transaction.cases.js';
import './execute-refusals.cases.js';
import './unexecutable-transactions.cases.js';
import './attacks/gas-price.cases.js';
import './attacks/locking-other-callers-objects.cases.js';
