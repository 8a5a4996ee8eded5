// The contract suite of all adapters, independent of the test runner. Its cases are exchange fixtures
// (test/fixtures/README.md).
import { existsSync } from 'node:fs'
import type { Adapter } from '#core'
import { sendClientCall } from '../../conformance/client-call.ts'
import { answerFaults } from '../../conformance/client-expectation.ts'
import { CountingScript, ExchangeScript } from '../../conformance/exchange-script.ts'
import { type Fixture, loadFixtures, type Step } from '../../conformance/fixture.ts'
import { describeMismatches, matchSubset } from '../../conformance/match.ts'
import { MockUpstream } from '../../conformance/mock-upstream.ts'
import { modelsOf } from '../../conformance/plan.ts'
import { fillPlaceholders } from '../../conformance/placeholders.ts'
import { type AdapterRoom, openAdapterRoom } from './adapter-room.ts'

/** One check. `run` rejects with the fault. */
export interface Check {
  name: string
  run(): Promise<void>
}

/** The checks of each case: the exchange itself, each cut of its stream, and the repeat on a second channel. `cases`
 *  is the adapter's folder of exchange fixtures. */
export function caseChecks(adapter: Adapter, cases: string): Check[] {
  const loaded = casesIn(cases)
  const isWell: Check = {
    name: 'has well-formed cases of channel types that are its own',
    run: async () => {
      const foreign = loaded.fixtures
        .filter(({ channel }) => !(channel.type in adapter.channelTypes))
        .map(({ name }) => `${name}: its channel type is not of this adapter`)
      refuse([...loaded.faults.map(({ file, message }) => `${file}: ${message}`), ...foreign])
    },
  }
  return [isWell, ...loaded.fixtures.flatMap((fixture) => checksOf(adapter, fixture))]
}

export function casesIn(folder: string): ReturnType<typeof loadFixtures> {
  return existsSync(folder) ? loadFixtures(folder) : { fixtures: [], faults: [] }
}

/** @throws Error with the problems, if there are any */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

function checksOf(adapter: Adapter, fixture: Fixture): Check[] {
  const checks: Check[] = [
    { name: fixture.name, run: () => inRoom(adapter, fixture, {}, checkWhole) },
  ]
  if (isStreamed(fixture)) {
    checks.push({
      name: `${fixture.name}, cut at every byte`,
      run: () => inRoom(adapter, fixture, { cutsEveryByte: true }, checkWhole),
    })
  }
  const { retryable } = fixture.after
  if (retryable !== undefined) {
    checks.push({
      name: `${fixture.name}, ${retryable ? 'tried' : 'not tried'} on another channel`,
      run: () => inRoom(adapter, fixture, { hasSecondChannel: true }, checkRetry),
    })
  }
  return checks
}

export function isStreamed({ steps }: Fixture): boolean {
  const { upstream } = steps[0] ?? { upstream: [] }
  return upstream.some(({ respond }) =>
    /event-?stream|ndjson/.test(JSON.stringify(respond.headers ?? {})),
  )
}

/** How often the poller runs at most before a step of a case must hold. */
const mostRounds = 10

interface Run {
  fixture: Fixture
  room: AdapterRoom
  mock: MockUpstream
}

async function inRoom(
  adapter: Adapter,
  source: Fixture,
  { cutsEveryByte = false, hasSecondChannel = false },
  check: (run: Run) => Promise<void>,
): Promise<void> {
  const mock = await MockUpstream.start()
  const fixture = fillPlaceholders(source, mock.url)
  const channel = { base_url: mock.url, ...fixture.channel }
  const room = await openAdapterRoom({
    adapter,
    channels: hasSecondChannel ? [channel, channel] : [channel],
    models: modelsOf(fixture),
    options: fixture.options,
    cutsEveryByte,
  })
  try {
    await check({ fixture, room, mock })
  } finally {
    await room.close()
    await mock.close()
  }
}

async function checkWhole({ fixture, room, mock }: Run): Promise<void> {
  const script = new ExchangeScript(fixture.background)
  mock.follow(script)
  const problems: string[] = []
  for (const step of fixture.steps) {
    script.beginStep(step.upstream)
    problems.push(...(await stepFaults(step, room)))
    script.endStep()
  }
  await room.pollTasks()
  script.endBackground()
  refuse([...script.problems, ...problems, ...bookFaults(fixture, room)])
}

/** Repeats a step that may take time, each time after a round of polls. */
async function stepFaults({ client, clientExpect, until }: Step, room: AdapterRoom) {
  const ask = async () =>
    answerFaults(await sendClientCall(room.url, client, 'sk-case'), clientExpect, client)
  let faults = await ask()
  for (let round = 0; until && faults.length > 0 && round < mostRounds; round++) {
    await room.pollTasks()
    faults = await ask()
  }
  return faults
}

async function checkRetry({ fixture, room, mock }: Run): Promise<void> {
  const script = new CountingScript(fixture.steps.flatMap(({ upstream }) => upstream))
  mock.follow(script)
  for (const { client } of fixture.steps) await sendClientCall(room.url, client, 'sk-case')
  const wanted = fixture.after.retryable ? 2 : 1
  const { lastExchangeCalls: came } = script
  refuse(came === wanted ? [] : [`${wanted} calls were to reach the upstream, ${came} came`])
}

/** What the call left behind: the bill, and the state of the channel. */
function bookFaults({ after }: Fixture, { rows, disabled }: AdapterRoom): string[] {
  const consumed = rows.filter(({ type }) => type === 2)
  const faults: string[] = []
  if (after.autoDisable !== undefined && after.autoDisable !== disabled.length > 0) {
    faults.push(`the channel was ${after.autoDisable ? 'not ' : ''}disabled automatically`)
  }
  if (after.noBill && consumed.length > 0) faults.push('a consumption row was written')
  if (after.billed) {
    const row = consumed.at(-1)
    const shown = row && { ...row, other: JSON.parse(row.other || '{}') as unknown }
    faults.push(...describeMismatches(matchSubset(shown, after.billed, '/row')))
  }
  if (after.billedAll) {
    const shown = consumed.map((row) => ({ ...row, other: JSON.parse(row.other) as unknown }))
    faults.push(...describeMismatches(matchSubset(shown, after.billedAll, '/rows')))
  }
  return faults
}
