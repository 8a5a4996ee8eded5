// Runs one fixture: its mock upstream, its channel and token, its calls, its traces.
import { setTimeout as wait } from 'node:timers/promises'
import { type Traces, afterFaults, lateFaults } from './after-checks.ts'
import { sendClientCall } from './client-call.ts'
import { answerFaults } from './client-expectation.ts'
import { CountingScript, ExchangeScript } from './exchange-script.ts'
import type { Fixture, Step } from './fixture.ts'
import type { Account, Ending, GatewayControl } from './gateway-control.ts'
import { MockUpstream } from './mock-upstream.ts'
import { modelsOf } from './plan.ts'
import { fillPlaceholders } from './placeholders.ts'

const repeatMs = 500
/** The gateway's own poller may take one whole default interval (15 s) to come round. */
const backgroundPatienceMs = 20_000

/** Where a case runs: nobody else has its group, so nobody else's channel can serve it. */
export interface CaseRoom {
  control: GatewayControl
  account: Account
  group: string
}

export interface CaseResult {
  problems: string[]
  /** Checks of what must not happen later either; to be run when everything is over. */
  later: (ending: Ending) => Promise<string[]>
}

/** The fixture as it stands. */
export async function runCase(source: Fixture, room: CaseRoom): Promise<CaseResult> {
  const mock = await MockUpstream.start()
  try {
    const fixture = fillPlaceholders(source, mock.url)
    const script = new ExchangeScript(fixture.background)
    mock.follow(script)
    const traces = await openTraces(fixture, mock.url, room)
    const problems: string[] = []
    for (const [index, step] of fixture.steps.entries()) {
      const faults = await runStep(step, script, room.control.url, traces.token.key)
      const label = fixture.isMultiStep ? `step ${index + 1}: ` : ''
      problems.push(...faults.map((text) => label + text))
    }
    await backgroundEnd(script)
    problems.push(...script.problems, ...(await afterFaults(fixture.after, traces)))
    return { problems, later: (ending) => lateFaults(fixture.after, traces, ending) }
  } finally {
    await mock.close()
  }
}

/** The fixture again with a second, identical channel and one retry: was the other channel tried? */
export async function runRetryCase(source: Fixture, room: CaseRoom): Promise<CaseResult> {
  const mock = await MockUpstream.start()
  try {
    const fixture = fillPlaceholders(source, mock.url)
    const script = new CountingScript(fixture.steps.flatMap(({ upstream }) => upstream))
    mock.follow(script)
    const { token } = await openTraces(fixture, mock.url, room)
    await room.control.createChannel(channelBody(fixture, mock.url, room.group))
    for (const { client } of fixture.steps) {
      await sendClientCall(room.control.url, client, token.key)
    }
    const wanted = fixture.after.retryable ? 2 : 1
    const calls = script.lastExchangeCalls
    const problems =
      calls === wanted
        ? []
        : [
            `retryable: with a second channel there were ${calls} upstream calls, expected ${wanted}`,
          ]
    return { problems, later: () => Promise.resolve([]) }
  } finally {
    await mock.close()
  }
}

async function openTraces(fixture: Fixture, upstream: string, room: CaseRoom): Promise<Traces> {
  const { control, account, group } = room
  const channelId = await control.createChannel(channelBody(fixture, upstream, group))
  const token = await control.createToken(account, group, group)
  const quotaBefore =
    fixture.after.userQuotaDelta === undefined ? 0 : await control.quotaOf(account)
  return { control, account, token, channelId, quotaBefore }
}

function channelBody(fixture: Fixture, upstream: string, group: string) {
  return {
    name: `${fixture.slug} ${fixture.name}`.slice(0, 60),
    key: 'sk-test',
    models: modelsOf(fixture).join(','),
    base_url: upstream,
    priority: 0,
    weight: 0,
    ...fixture.channel,
    group,
    status: 1,
    auto_ban: 1,
  }
}

async function runStep(
  step: Step,
  script: ExchangeScript,
  url: string,
  key: string,
): Promise<string[]> {
  script.beginStep(step.upstream)
  const end = Date.now() + (step.until ?? 0)
  let faults = await callFaults(step, url, key)
  while (faults.length > 0 && Date.now() < end) {
    await wait(repeatMs)
    faults = await callFaults(step, url, key)
  }
  script.endStep()
  return faults
}

async function callFaults({ client, clientExpect }: Step, url: string, key: string) {
  try {
    return answerFaults(await sendClientCall(url, client, key), clientExpect, client)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

async function backgroundEnd(script: ExchangeScript): Promise<void> {
  const end = Date.now() + backgroundPatienceMs
  while (script.hasOpenBackground && Date.now() < end) await wait(100)
  script.endBackground()
}
