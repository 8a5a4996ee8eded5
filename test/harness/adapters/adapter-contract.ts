// The contract suite of all adapters: a sound manifest, and cases that are exchange fixtures (test/fixtures/README.md).
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Adapter } from '#core'
import { checkManifest } from '../../../core/kernel/manifest.ts'
import { sendClientCall } from '../../conformance/client-call.ts'
import { answerFaults } from '../../conformance/client-expectation.ts'
import { CountingScript, ExchangeScript } from '../../conformance/exchange-script.ts'
import { type Fixture, loadFixtures, type Step } from '../../conformance/fixture.ts'
import { describeMismatches, matchSubset } from '../../conformance/match.ts'
import { MockUpstream } from '../../conformance/mock-upstream.ts'
import { modelsOf } from '../../conformance/plan.ts'
import { fillPlaceholders } from '../../conformance/placeholders.ts'
import { type AdapterRoom, openAdapterRoom } from './adapter-room.ts'

/** Registers the tests of one adapter; `cases` is its folder of exchange fixtures. */
export function testAdapter(adapter: Adapter, cases: URL): void {
  describe(`adapter ${adapter.id}`, () => {
    it('has a sound manifest', () =>
      expect(checkManifest(adapter, adapter.id)).toMatchObject({ kind: 'adapter', id: adapter.id }))

    const loaded = existsSync(cases) ? loadFixtures(cases.pathname) : { fixtures: [], faults: [] }
    it('has well-formed cases of channel types that are its own', () => {
      expect(loaded.faults).toEqual([])
      const foreign = loaded.fixtures.filter(
        ({ channel }) => !(channel.type in adapter.channelTypes),
      )
      expect(foreign.map(({ name }) => name)).toEqual([])
    })

    for (const fixture of loaded.fixtures) testCase(adapter, fixture)
  })
}

function testCase(adapter: Adapter, fixture: Fixture): void {
  it(fixture.name, () => inRoom(adapter, fixture, {}, checkWhole))
  const { upstream } = fixture.steps[0] ?? { upstream: [] }
  if (upstream.some(({ respond }) => /event-?stream/.test(JSON.stringify(respond.headers ?? {})))) {
    it(`${fixture.name}, cut at every byte`, () =>
      inRoom(adapter, fixture, { cutsEveryByte: true }, checkWhole))
  }
  const { retryable } = fixture.after
  if (retryable !== undefined) {
    it(`${fixture.name}, ${retryable ? 'tried' : 'not tried'} on another channel`, () =>
      inRoom(adapter, fixture, { hasSecondChannel: true }, checkRetry))
  }
}

/** Polls that a case may need before its step is true. */
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
  expect([...script.problems, ...problems, ...bookFaults(fixture, room)]).toEqual([])
}

/** A step that may take time is repeated, each time after a round of polls. */
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
  expect(script.lastExchangeCalls).toBe(fixture.after.retryable ? 2 : 1)
}

/** What the call left behind: the bill and the channel's state. */
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
