// Every official SDK against every upstream dialect, with the recorded conversation of test/fixtures/dialects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type App, startApp } from '#test'
import {
  dialectUpstream,
  modelFor,
  recorded,
  type UpstreamDialect,
} from '../../harness/upstreams/dialect-upstream.ts'
import { type SdkClient, sdkClients } from './sdk-clients.ts'

// An OpenAI channel takes chat and Responses calls as they are; some of its models take Responses calls only.
const upstreams: { dialect: UpstreamDialect; type: number }[] = [
  { dialect: 'openai-chat', type: 1 },
  { dialect: 'openai-responses', type: 1 },
  { dialect: 'anthropic-messages', type: 14 },
  { dialect: 'gemini', type: 24 },
]

const clientDialects = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const

const noTools: { name: string; args: unknown }[] = []
const scenarios = [
  { scenario: 'text', text: recorded.text, tools: noTools, usage: recorded.usage['text'] },
  { scenario: 'text-stream', text: recorded.text, tools: noTools, usage: recorded.usage['text'] },
  {
    scenario: 'tool',
    text: recorded.tool_text,
    tools: recorded.tools,
    usage: recorded.usage['tool'],
  },
  {
    scenario: 'tool-stream',
    text: recorded.tool_text,
    tools: recorded.tools,
    usage: recorded.usage['tool'],
  },
  { scenario: 'tool-result', text: recorded.final, tools: noTools, usage: recorded.usage['final'] },
  { scenario: 'vision', text: recorded.vision, tools: noTools, usage: recorded.usage['vision'] },
  { scenario: 'json-schema', text: recorded.json, tools: noTools, usage: recorded.usage['json'] },
]
const reasoned = ['reasoning', 'reasoning-stream']
const errors = ['error-400', 'error-401', 'error-429']

let app: App
let upstream: Awaited<ReturnType<typeof dialectUpstream>>
let clients: SdkClient[]

beforeAll(async () => {
  upstream = await dialectUpstream()
  app = await startApp({ isWithin: true })
  const names = [
    ...scenarios.map(({ scenario }) => scenario),
    ...reasoned,
    ...errors,
    'error-stream',
  ]
  const priced: Record<string, number> = {}
  for (const { dialect, type } of upstreams) {
    const models = names.map((scenario) => modelFor(dialect, scenario))
    for (const model of models) priced[model] = 1
    await addChannel(app.root, { type, base_url: upstream.url, models: models.join(',') })
  }
  await app.root.put('/api/option/', { key: 'ModelRatio', value: JSON.stringify(priced) })
  const customer = await addCustomer(app.root, 'sdk-user', 1_000_000_000)
  clients = sdkClients(app.url, customer.key)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

function clientOf(dialect: string): SdkClient {
  const client = clients.find((entry) => entry.dialect === dialect)
  if (!client) throw new Error(`no SDK for ${dialect}`)
  return client
}

describe.each(upstreams)('an upstream that speaks $dialect', ({ dialect }) => {
  describe.each(clientDialects.map((client) => ({ client })))(
    'asked by the SDK of $client',
    ({ client }) => {
      it.each(scenarios)('$scenario', async ({ scenario, text, tools, usage }) => {
        const answered = await clientOf(client).ask(scenario, modelFor(dialect, scenario))
        expect({ text: answered.text, tools: answered.tools }).toEqual({ text, tools })
        expect(answered).toMatchObject({ inputTokens: usage?.in, outputTokens: usage?.out })
      })

      it.each(reasoned)('%s', async (scenario) => {
        const answered = await clientOf(client).ask(scenario, modelFor(dialect, scenario))
        expect(answered).toMatchObject({
          text: recorded.reasoning_answer,
          reasoning: recorded.reasoning,
          outputTokens: recorded.usage['reason']?.out,
        })
      })

      it.each(errors)('%s keeps its status', async (scenario) => {
        const sdk = clientOf(client)
        const error = await sdk
          .ask(scenario, modelFor(dialect, scenario))
          .catch((reason: unknown) => reason)
        expect(error).toBeInstanceOf(Error)
        expect(sdk.statusOf(error)).toBe(Number(scenario.slice(-3)))
      })

      it('a failure in mid-stream raises an exception', async () => {
        const asking = clientOf(client).ask('error-stream', modelFor(dialect, 'error-stream'))
        await expect(asking).rejects.toThrow(Error)
      })
    },
  )
})
