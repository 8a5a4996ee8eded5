// npm run bench:minutes [-- --seconds 150 --only sqlite --customers 5000 --write]
// --customers: so many ask in turn, and each row of the log is one more sum of its customer.
// What calls wait for over minutes at half load, while the jobs that sum the log each minute run beside them. Writes its section of RESULTS.md when
// nothing was chosen.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startCannedUpstream } from './canned-upstream.ts'
import { startUpstream } from './nginx-upstream.ts'
import { minutesSection, withSection } from './report.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { startMeteredGateway } from './targets.ts'
import { measureWindows, type Windows } from './windows.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    only: { type: 'string' },
    customers: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
const small = scenarios.find(({ name }) => name === 'small') as Scenario
const upstream = await startUpstream(0, false)
const dripping = await startCannedUpstream()
const measured: Windows[] = []
for (const database of ['sqlite', 'postgres'] as const) {
  if (values.only !== undefined && values.only !== database) continue
  const urls = { whole: upstream.url, dripping: dripping.url }
  const target = await startMeteredGateway(urls, database, [small], {
    customers: Number(values.customers ?? 0),
  })
  measured.push(await measureWindows(target, small, Number(values.seconds ?? 150)))
  await target.close()
}
upstream.close()
dripping.close()
const section = minutesSection(measured)
console.log(section)
const isWhole = [values.seconds, values.only, values.customers].every((value) => !value)
if (isWhole || values.write) {
  const page = new URL('RESULTS.md', import.meta.url)
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), section))
}
process.exitCode = measured.some(({ failures }) => failures > 0) ? 1 : 0
