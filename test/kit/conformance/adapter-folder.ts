import { join } from 'node:path'
import type { Adapter } from '#core'
import {
  caseChecks,
  casesIn,
  type Check,
  isStreamed,
  refuse,
} from '../../harness/adapters/adapter-checks.ts'
import type { Fixture } from '../../conformance/fixture.ts'
import type { Room } from './room.ts'

/** Numbers below are given out by the repository (docs/channel-types.md). */
const FIRST_OUTSIDE_TYPE = 100_000

export function adapterChecks(adapter: Adapter, { folder }: Room): Check[] {
  const cases = join(folder, 'cases')
  return [
    { name: 'has channel types of its own', run: async () => refuse(typeFaults(adapter)) },
    {
      name: 'has a plain, a streamed and a failing case',
      run: async () => refuse(missing(adapter, cases)),
    },
    { name: 'prices models of its own', run: async () => refuse(priceFaults(adapter)) },
    ...caseChecks(adapter, cases),
  ]
}

function typeFaults({ channelTypes }: Adapter): string[] {
  return Object.keys(channelTypes)
    .filter((type) => Number(type) < FIRST_OUTSIDE_TYPE)
    .map(
      (type) =>
        `channel type ${type} is below ${FIRST_OUTSIDE_TYPE}: a later Tollgate may give it to another`,
    )
}

function missing({ operations }: Adapter, folder: string): string[] {
  const { fixtures } = casesIn(folder)
  const isFailing = ({ steps }: Fixture) => steps.at(-1)?.clientExpect.status !== 200
  const problems: string[] = []
  if (!fixtures.some((one) => !isStreamed(one) && !isFailing(one))) problems.push('no plain case')
  if (operations.chat && !fixtures.some((one) => isStreamed(one) && !isFailing(one)))
    problems.push('no streamed case')
  if (!fixtures.some(isFailing)) problems.push('no failing case')
  return problems.map((problem) => `cases/ has ${problem}`)
}

/** A price of a model that the adapter does not offer would be another's to state. */
function priceFaults({ models, prices }: Adapter): string[] {
  if (!prices) return []
  const fits = (name: string) =>
    name.endsWith('*')
      ? models.some((model) => model.startsWith(name.slice(0, -1)))
      : models.includes(name)
  return Object.keys(prices.models)
    .filter((name) => models.length > 0 && !fits(name))
    .map((name) => `prices has "${name}", which is none of its models`)
}
