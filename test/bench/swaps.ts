// npm run bench:swaps [-- --swaps 300 --write]
// How long a switch of plugins takes with all that comes with the gateway, under a light load, and whether memory is flat. Writes its section of
// RESULTS.md when nothing was chosen.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureSwaps } from './generation-swaps.ts'
import { swapsSection, withSection } from './report.ts'

const { values } = parseArgs({
  options: { swaps: { type: 'string' }, write: { type: 'boolean', default: false } },
})

execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
const measured = await measureSwaps(Number(values.swaps ?? 300))
const section = swapsSection(measured)
console.log(section)
if (values.swaps === undefined || values.write) {
  const page = new URL('RESULTS.md', import.meta.url)
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), section))
}
process.exitCode = measured.failures > 0 ? 1 : 0
