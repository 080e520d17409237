/** Spending limits and what else access rules decide; one system serves all of it. */
import './spending-limits.cases.js';
import './access-decisions.cases.js';
