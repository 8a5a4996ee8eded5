import { measureRound, type Plan } from './measure.ts'
import type { Scenario } from './scenarios.ts'
import type { Target } from './targets.ts'

/** A round that costs more than this share of the cheapest one before it is no longer a gain. */
const GAIN = 0.97
const STEADY_ROUNDS = 2
export const MOST_WARM_UP_ROUNDS = 8

/** Asks every target for every answer, round after round, until the calls of none become cheaper. A scenario alone does not do: V8 compiles what all
 *  have in common anew when another one comes, and a stream cost a tenth to a quarter more in the first round than in the third.
 *  @returns the number of rounds */
export async function warmUp(
  targets: readonly Target[],
  scenarios: readonly Scenario[],
  plan: Plan,
): Promise<number> {
  const least = new Map<Target, number>()
  let steady = 0
  let round = 0
  while (steady < STEADY_ROUNDS && round < MOST_WARM_UP_ROUNDS) {
    round += 1
    const costs = await costsOfRound(targets, scenarios, plan)
    const isCheaper = [...costs].some(
      ([target, cost]) => cost < GAIN * (least.get(target) ?? Number.POSITIVE_INFINITY),
    )
    steady = isCheaper ? 0 : steady + 1
    for (const [target, cost] of costs) least.set(target, Math.min(cost, least.get(target) ?? cost))
    console.log(`warm-up ${round}: ${[...costs].map(printed).join(', ')}`)
  }
  return round
}

/** Processor time of a call, in microseconds, as the mean of the scenarios. */
async function costsOfRound(
  targets: readonly Target[],
  scenarios: readonly Scenario[],
  plan: Plan,
): Promise<Map<Target, number>> {
  const costs = new Map<Target, number>()
  for (const scenario of scenarios)
    for (const target of targets) {
      const aim = target.aim(scenario)
      if (!aim) continue
      const { cpuMicroseconds } = await measureRound(target, aim, plan)
      costs.set(target, (costs.get(target) ?? 0) + cpuMicroseconds / scenarios.length)
    }
  return costs
}

/** The processor time of a peer is unknown. */
function printed([{ name }, cost]: [Target, number]): string {
  return Number.isNaN(cost) ? name : `${name} ${cost.toFixed(0)} µs`
}
