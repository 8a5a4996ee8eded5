// npm run bench:memory [-- --streams 2000 --seconds 20 --minutes 10]
// What open streams take, and whether memory comes to rest under mixed traffic. Writes its section of RESULTS.md when nothing was chosen.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { measureMixedTraffic } from './mixed-traffic.ts'
import { measureOpenStreams } from './open-streams.ts'
import { memorySection, withSection } from './report.ts'

const { values } = parseArgs({
  options: {
    streams: { type: 'string' },
    seconds: { type: 'string', default: '20' },
    minutes: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const isWhole = values.streams === undefined && values.minutes === undefined

execFileSync('taskset', ['-a', '-c', '-p', '1', String(process.pid)], { stdio: 'ignore' })
const streams = Number(values.streams ?? (isWhole ? 2_000 : 0))
const minutes = Number(values.minutes ?? (isWhole ? 10 : 0))
const open = streams > 0 ? await measureOpenStreams(streams, Number(values.seconds)) : undefined
const mixed = minutes > 0 ? await measureMixedTraffic(minutes) : undefined
const section = memorySection(open, mixed)
console.log(section)
if (isWhole || values.write) {
  const page = new URL('RESULTS.md', import.meta.url)
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), section))
}
process.exitCode = (open?.lost ?? 0) + (mixed?.failures ?? 0) > 0 ? 1 : 0
