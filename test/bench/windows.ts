// Latency over minutes at one rate, window by window: an average hides the seconds in which the jobs of each minute run.
import { load } from './load.ts'
import type { Scenario } from './scenarios.ts'
import type { Aim, Target } from './targets.ts'

const WINDOW_SECONDS = 2
const CONNECTIONS = 64

export interface Windows {
  name: string
  requestsPerSecond: number
  failures: number
  /** Of each window, milliseconds to the first byte. */
  windows: readonly { p50: number; p99: number }[]
}

/** Asks for half of what the target can take. */
export async function measureWindows(
  target: Target,
  scenario: Scenario,
  seconds: number,
): Promise<Windows> {
  const aim = target.aim(scenario) as Aim
  const connections = CONNECTIONS
  // Each customer's first call takes longer.
  for (let asked = 0; asked <= 2 * (aim.keys?.length ?? 0); )
    asked += (await load(aim, { connections, seconds: 3 })).count
  const most = await load(aim, { connections, seconds: 5 })
  const rate = most.requestsPerSecond / 2
  const windows: { p50: number; p99: number }[] = []
  let failures = most.failures
  for (let left = seconds; left > 0; left -= WINDOW_SECONDS) {
    const window = await load(aim, { connections, seconds: WINDOW_SECONDS, rate })
    windows.push(window.firstByte)
    failures += window.failures
  }
  return { name: target.name, requestsPerSecond: rate, failures, windows }
}
