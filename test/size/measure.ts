import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux's clock of processes. */
const TICKS_A_SECOND = 100

export interface Spread {
  p50: number
  p95: number
  /** Processor time of one, of all threads: on a busy machine it holds where the clock does not. */
  gatewayCpu: number
  databaseCpu: number
}

/** Processes whose time is counted: the gateway's, and those of PostgreSQL. */
export interface Watched {
  gateway: number
  database(): Promise<readonly number[]>
}

/** Milliseconds of one after another. A first one that warms up does not count. */
export async function spreadOf(
  rounds: number,
  watched: Watched,
  ask: () => Promise<unknown>,
): Promise<Spread> {
  await ask()
  const backends = await watched.database()
  const parent = parentOf(backends[0])
  const databaseMs = () => cpuMs(backends) + endedMs(parent)
  const before = { gateway: cpuMs([watched.gateway]), database: databaseMs() }
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await ask()
    times.push(performance.now() - start)
  }
  const gatewayCpu = (cpuMs([watched.gateway]) - before.gateway) / rounds
  const databaseCpu = (databaseMs() - before.database) / rounds
  times.sort((left, right) => left - right)
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { p50: at(0.5), p95: at(0.95), gatewayCpu, databaseCpu }
}

/** By Linux's scheduler, of all threads that still run. */
function cpuMs(pids: readonly number[]): number {
  let nanoseconds = 0
  for (const pid of pids) {
    for (const thread of entriesOf(`/proc/${pid}/task`))
      nanoseconds += Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
  }
  return nanoseconds / 1_000_000
}

/** Of a process's children that have ended: backends, and workers of parallel statements. */
function endedMs(parent: number | undefined): number {
  if (parent === undefined) return 0
  const [user = 0, system = 0] = statOf(parent).slice(13, 15).map(Number)
  return ((user + system) * 1_000) / TICKS_A_SECOND
}

function parentOf(pid: number | undefined): number | undefined {
  return pid === undefined ? undefined : Number(statOf(pid)[1])
}

/** The fields behind the name of a process. */
function statOf(pid: number): string[] {
  return (textOf(`/proc/${pid}/stat`).split(') ')[1] ?? '').split(' ')
}

/** Of all threads so far. */
export function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number)
  return (user + system) / TICKS_A_SECOND
}

/** A backend, or a thread, may have ended. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '0'
  }
}
