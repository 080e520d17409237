import { buildHelm } from './build-servers.js';
import { findChartProblems } from './chart-problems.js';
import { writeManifests } from './render-chart.js';

const helm = await buildHelm();
writeManifests(helm, process.argv.includes('--write'));
const problems = findChartProblems(helm);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length === 0 ? 'no' : problems.length} problems in the chart\n`);
if (problems.length > 0) process.exitCode = 1;
