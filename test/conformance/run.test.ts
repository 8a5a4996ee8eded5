import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../harness/api-client.ts'
import { type Faults, startFakeGateway } from './fake-gateway.ts'
import { type Fixture, loadFixtures } from './fixture.ts'
import { report } from './report.ts'
import { type FixtureResult, runFixtures } from './run.ts'

const { fixtures } = loadFixtures(fileURLToPath(new URL('../fixtures', import.meta.url)))

function fixture(path: string): Fixture {
  const found = fixtures.find(({ slug, name }) => `${slug}/${name}` === path)
  if (!found) throw new Error(`no fixture ${path}`)
  return found
}

async function run(faults: Faults, ...chosen: Fixture[]): Promise<FixtureResult[]> {
  const gateway = await startFakeGateway(faults)
  try {
    const root = await new ApiClient(gateway.url).signIn('root', 'any')
    return await runFixtures(chosen, { root })
  } finally {
    await gateway.close()
  }
}

async function problemsWith(faults: Faults, chosen: Fixture): Promise<string> {
  const [result] = await run(faults, chosen)
  return result?.problems.join('\n') ?? ''
}

const plain = fixture('openai/chat-basic')
const stream = fixture('openai/chat-stream-usage')
const tools = fixture('openai/chat-stream-tool-calls')
const throttled = fixture('openai/error-429-rate-limit')
const deadKey = fixture('openai/error-401')

describe('a gateway that does everything right', () => {
  it('passes the plain, streamed, tool-calling and failing fixtures', async () => {
    const results = await run({}, plain, tools, throttled, deadKey)
    expect(results.map(({ problems }) => problems)).toEqual([[], [], [], []])
    expect(report(results)).toContain('openai    4 passed   0 failed   0 skipped')
  })

  it('reports a fixture whose label is to be skipped as skipped', async () => {
    const gateway = await startFakeGateway()
    const root = new ApiClient(gateway.url)
    const labelled = { ...plain, requires: ['steps'] }
    try {
      const [result] = await runFixtures([labelled], { root, skip: ['steps'] })
      expect(result?.outcome).toBe('skipped')
    } finally {
      await gateway.close()
    }
  })
})

// Side by side: some are told from what is late only by waiting ten seconds.
describe.concurrent('a planted fault is found and named', () => {
  it.each<{ fault: string; faults: Faults; chosen: Fixture; says: string }>([
    {
      fault: 'a changed request field',
      faults: { editRequest: (body) => ({ ...body, seed: 8 }) },
      chosen: plain,
      says: 'upstream POST /v1/chat/completions: body /seed expected 7, got 8',
    },
    {
      fault: 'a lost request field',
      faults: { editRequest: (body) => ({ ...body, metadata: undefined }) },
      chosen: plain,
      says: 'body /metadata is missing',
    },
    {
      fault: 'a field that must be absent',
      faults: { editRequest: (body) => ({ ...body, stream_options: {} }) },
      chosen: plain,
      says: 'body /stream_options must be absent',
    },
    {
      fault: 'a changed answer',
      faults: { editAnswer: (text) => text.replace('Cherry.', 'Plum.') },
      chosen: plain,
      says: 'body /choices/0/message/content expected "Cherry.", got "Plum."',
    },
    {
      fault: 'another status',
      faults: { status: 502 },
      chosen: plain,
      says: 'status: expected 200, got 502',
    },
    {
      fault: 'a second upstream call',
      faults: { callsTwice: true },
      chosen: plain,
      says: 'unexpected upstream call POST /v1/chat/completions, expected no call',
    },
    {
      fault: 'a missing upstream call',
      faults: { dropsCall: true },
      chosen: plain,
      says: 'upstream was never called: POST /v1/chat/completions',
    },
    {
      fault: 'wrong figures on the bill',
      faults: { billedTokens: 1 },
      chosen: plain,
      says: 'log row /prompt_tokens expected 21, got 1',
    },
    {
      fault: 'a stream without its end mark',
      faults: { editAnswer: (text) => text.replace('data: [DONE]\n\n', '') },
      chosen: tools,
      says: 'stream: the last data line is not [DONE]',
    },
    {
      fault: 'chunks with changing ids',
      faults: { editAnswer: (text) => text.replace('chatcmpl-oa03', 'other') },
      chosen: tools,
      says: 'the chunks have several ids',
    },
    {
      fault: 'tool arguments that are no JSON',
      faults: { editAnswer: (text) => text.replace('Oslo', 'Oslo\\\\') },
      chosen: tools,
      says: '/toolCalls/1/arguments',
    },
    {
      fault: 'a second finish reason',
      faults: {
        editAnswer: (text) => text.replace('"finish_reason":null', '"finish_reason":"stop"'),
      },
      chosen: tools,
      says: 'expected finish_reason "tool_calls" once, got ["stop","tool_calls"]',
    },
    {
      fault: 'a charge for a failure',
      faults: { billsFailures: true },
      chosen: throttled,
      says: 'a consumption row was written',
    },
    {
      fault: 'no retry where one is due',
      faults: { neverRetries: true },
      chosen: throttled,
      says: 'retryable: with a second channel there were 1 upstream calls, expected 2',
    },
    {
      fault: 'a dead key that stays in use',
      faults: { neverDisables: true },
      chosen: deadKey,
      says: 'the channel has status 1, expected 3',
    },
    {
      fault: 'a channel disabled without need',
      faults: { disablesAlways: true },
      chosen: throttled,
      says: 'the channel was disabled automatically',
    },
  ])('$fault', async ({ faults, chosen, says }) => {
    expect(await problemsWith(faults, chosen)).toContain(says)
  })

  it('usage in a stream whose client did not ask for it', async () => {
    const asked = {
      ...stream,
      steps: stream.steps.map((step) => ({
        ...step,
        clientExpect: { ...step.clientExpect, usage: null },
      })),
    }
    expect(await problemsWith({}, asked)).toContain('no chunk may carry usage')
  })
})
