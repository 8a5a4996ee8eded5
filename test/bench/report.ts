// What was measured, for the terminal and for RESULTS.md.
import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { type AddedLatency, type Figure, LATENCY_ROUNDS, type Measured } from './measure.ts'
import type { MixedTraffic } from './mixed-traffic.ts'
import type { OpenStreams } from './open-streams.ts'
import type { SwapTimes } from './generation-swaps.ts'
import { MOST_WARM_UP_ROUNDS } from './warm-up.ts'
import type { Windows } from './windows.ts'

const header = [
  'answer',
  'connections',
  'target',
  'requests/s',
  'ratio',
  'goal',
  'spread',
  'CPU µs',
  'CPU ratio',
  'CPU µs/event',
  'RSS MB',
  'failures',
]

function cells(row: Measured): string[] {
  const isProxy = row.target === 'bare proxy'
  return [
    row.scenario.name,
    String(row.connections),
    row.target,
    row.requestsPerSecond.median.toFixed(0),
    row.ratio.median.toFixed(2),
    isProxy ? '' : row.scenario.goal.toFixed(2),
    isProxy ? '' : spread(row.ratio),
    shown(row.cpuMicroseconds.median, 0),
    shown(row.cpuRatio.median, 2),
    row.cpuPerEvent === undefined ? '' : shown(row.cpuPerEvent, 1),
    shown(row.rssMegabytes, 0),
    String(row.failures),
  ]
}

const spread = ({ least, most }: Figure) => `${least.toFixed(2)}–${most.toFixed(2)}`
const shown = (value: number, digits: number) => (Number.isNaN(value) ? '' : value.toFixed(digits))

const latencyHeader = ['answer', 'target', 'at requests/s', 'p50 ms', 'p99 ms']

const latencyCells = (row: AddedLatency) => [
  row.scenario.name,
  row.target,
  row.requestsPerSecond.toFixed(0),
  row.p50.toFixed(2),
  row.p99.toFixed(2),
]

export function printed(rows: readonly Measured[]): string {
  return columns([header, ...rows.map(cells)])
}

export function printedLatency(rows: readonly AddedLatency[]): string {
  return columns([latencyHeader, ...rows.map(latencyCells)])
}

function columns(lines: readonly string[][]): string {
  const widths = header.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines
    .map((line) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
    .join('\n')
}

export interface Run {
  /** What it is. */
  upstream: string
  rounds: number
  seconds: number
  warmUpRounds: number
}

export function resultsPage(
  rows: readonly Measured[],
  latency: readonly AddedLatency[],
  { upstream, rounds, seconds, warmUpRounds }: Run,
): string {
  return `# Results

Written by \`npm run bench\`, ${new Date().toISOString().slice(0, 10)}. Each figure is the median of ${rounds} rounds of ${seconds} s in which all targets took turns; the
spread is that of the ratio over the rounds. "Ratio" is requests per second beside a bare Node and undici proxy on the same core in the same round,
"CPU" the processor time of the whole process, all threads, for one request: where a machine was busy with other things, believe that one.
Before, all targets were asked for all answers in ${warmUpRounds} rounds, until the calls of none became cheaper (${MOST_WARM_UP_ROUNDS} at the most).

- ${machine().join('\n- ')}
- upstream: ${upstream}; those called "dripped" are written ten events at a time by sockets of Node
- one core for the process that is measured, the other for load, upstream and PostgreSQL
${busyNote()}
${markdown(header, rows.map(cells))}

## Time to the first byte

Added to that of the upstream asked directly at the same rate, at half of what the target can do, over ${seconds * LATENCY_ROUNDS} s.

${markdown(latencyHeader, latency.map(latencyCells))}
`
}

const memoryTitle = '## Open streams and memory'

export function memorySection(open?: OpenStreams, mixed?: MixedTraffic): string {
  const parts = [
    memoryTitle,
    `Written by \`npm run bench:memory\`, ${new Date().toISOString().slice(0, 10)}.`,
    `- ${machine().join('\n- ')}`,
    ...(busyNote() === '' ? [] : [busyNote().trim()]),
    ...(open ? [openText(open)] : []),
    ...(mixed ? [mixedText(mixed)] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function openText({ streams, before, most, lost, charged, isLedgerRight }: OpenStreams): string {
  const each = ((most - before) * 1024) / streams
  return `**${streams} open streams**, each with an event a second: RSS ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at the most (${each.toFixed(0)} KiB each); ${lost} lost,
${charged} charged, ledger ${isLedgerRight ? 'right' : 'WRONG'}.`
}

function mixedText({ minutes, requests, failures, byMinute }: MixedTraffic): string {
  return `**${minutes} minutes of mixed traffic** (all answers above, and clients that leave): ${requests} requests, ${failures} failures. RSS by minute, MB: ${byMinute.map((value) => value.toFixed(0)).join(', ')}.`
}

const swapsTitle = '## Plugin switches'
/** The goal for 95 of 100 switches, on a machine that has nothing else to do. */
const SWAP_GOAL_MS = 300

export function swapsSection({ swaps, times, cpu, requests, failures, memory }: SwapTimes): string {
  const ms = (value: number) => value.toFixed(0)
  const parts = [
    swapsTitle,
    `Written by \`npm run bench:swaps\`, ${new Date().toISOString().slice(0, 10)}.`,
    `- ${machine().join('\n- ')}`,
    ...(busyNote() === '' ? [] : [busyNote().trim()]),
    `**${swaps} switches** with all that comes with the gateway: a plugin goes and comes, an adapter changes its version while calls go through it.
From request to answer: p50 ${ms(times.p50)} ms, p95 ${ms(times.p95)} ms (goal: ${SWAP_GOAL_MS}), at the most ${ms(times.max)} ms. Processor time, with the calls meanwhile: p50 ${ms(cpu.p50)} ms, p95 ${ms(cpu.p95)} ms.
${requests} calls, ${failures} failures.`,
    markdown(
      ['after switches', 'RSS MB', 'heap MB after a collection'],
      memory.map((one) => [
        String(one.swaps),
        one.rssMegabytes.toFixed(0),
        one.heapMegabytes.toFixed(1),
      ]),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

const minutesTitle = '## Beside the jobs of the minute'

export function minutesSection(measured: readonly Windows[]): string {
  const parts = [
    minutesTitle,
    `Written by \`npm run bench:minutes\`, ${new Date().toISOString().slice(0, 10)}. Milliseconds to the first byte of a small answer at half load, by windows of two seconds.`,
    `- ${machine().join('\n- ')}`,
    ...(busyNote() === '' ? [] : [busyNote().trim()]),
    markdown(
      [
        'target',
        'at requests/s',
        'windows',
        'p50, median window',
        'p50, worst',
        'p99, median window',
        'p99, worst',
        'failures',
      ],
      measured.map(windowsRow),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function windowsRow({ name, requestsPerSecond, windows, failures }: Windows): string[] {
  const [p50, p99] = (['p50', 'p99'] as const).map((part) =>
    windows.map((window) => window[part]).toSorted((a, b) => a - b),
  )
  const shown = (sorted: readonly number[] = []) => [
    (sorted[sorted.length >> 1] ?? Number.NaN).toFixed(1),
    (sorted.at(-1) ?? Number.NaN).toFixed(1),
  ]
  const figures = [requestsPerSecond.toFixed(0), String(windows.length)]
  return [name, ...figures, ...shown(p50), ...shown(p99), String(failures)]
}

/** The page with this section in the place of its older one, or at its end. */
export function withSection(page: string, section: string): string {
  const title = section.slice(0, section.indexOf('\n'))
  const older = sectionOf(page, title)
  return older === ''
    ? `${page.trimEnd()}\n\n${section}`
    : page.replace(older, () => (page.endsWith(older) ? section : `${section}\n`))
}

/** What other benchmarks wrote into an older page stays. */
export function withKept(page: string, older: string): string {
  return [memoryTitle, swapsTitle, minutesTitle]
    .map((title) => sectionOf(older, title).trimEnd())
    .filter((section) => section !== '')
    .reduce((grown, section) => withSection(grown, `${section}\n`), page)
}

function sectionOf(page: string, title: string): string {
  const at = page.indexOf(`${title}\n`)
  if (at < 0) return ''
  const next = page.indexOf('\n## ', at)
  return next < 0 ? page.slice(at) : page.slice(at, next + 1)
}

/** Load, upstream, gateway and database are three or four at work; more than two for each processor are others. */
function busyNote(): string {
  return (loadavg()[1] ?? 0) <= 2 * cpus().length
    ? ''
    : `
**The machine was busy with other work.** Requests per second and times to the first byte say nothing here; the ratios of processor time hold roughly.
`
}

function machine(): string[] {
  const [first] = cpus()
  return [
    `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${type()} ${release()}`,
    `load of the machine when it ended (1, 5, 15 minutes): ${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')}`,
    `Node ${process.version}, SQLite ${sqliteVersion()}`,
  ]
}

function sqliteVersion(): string {
  const script = `import('sqlite3').then(({ default: { VERSION } }) => console.log(VERSION))`
  try {
    return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim()
  } catch {
    return process.versions['sqlite'] ?? 'unknown'
  }
}

function markdown(head: readonly string[], lines: readonly string[][]): string {
  const row = (line: readonly string[]) => `| ${line.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')
}
