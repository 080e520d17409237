import { writeFileSync } from 'node:fs';
import { manifestsOf, VARIANTS } from '../variants.js';
import { buildHelm } from './build-servers.js';
import { findChartProblems } from './chart-problems.js';
import { renderManifests } from './render-chart.js';

const helm = await buildHelm();
if (process.argv.includes('--write')) {
  for (const variant of Object.keys(VARIANTS)) {
    writeFileSync(manifestsOf(variant), renderManifests(helm, variant));
  }
}
const problems = findChartProblems(helm);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length === 0 ? 'no' : problems.length} problems in the chart\n`);
if (problems.length > 0) process.exitCode = 1;
