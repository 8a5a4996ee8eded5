import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type ApiClient,
  type App,
  balanceOf,
  channelType,
  consumptionRows,
  type Customer,
  type FakeUpstream,
  fakeUpstream,
  scriptedUpstream,
  sendJson,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: FakeUpstream
let customer: Customer

const path = '/pg/chat/completions'
const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

beforeAll(async () => {
  upstream = await fakeUpstream()
  app = await startApp({ isWithin: true })
  await addChannel(app.root, { base_url: upstream.url, models: 'm', group: 'default,vip' })
  await setPrice(app.root, 'm', 1)
  customer = await addCustomer(app.root, 'player', 1_000_000)
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

function play(client: ApiClient, sent: object, headers: Record<string, string> = {}) {
  return fetch(app.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'new-api-user': String(client.userId),
      cookie: client.sessionCookie,
      ...headers,
    },
    body: JSON.stringify(sent),
  })
}

async function errorOf(answer: Response) {
  const { error } = (await answer.json()) as { error: { code: string; message: string } }
  return { status: answer.status, code: error.code }
}

describe('the playground', () => {
  it('answers a chat and charges the user, with no token', async () => {
    const before = await balanceOf(customer)
    const answer = await play(customer.client, body)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
    expect(await balanceOf(customer)).toBe(before - 15)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row).toMatchObject({ quota: 15, token_id: 0, token_name: 'playground-default' })
  })

  it('keeps the reasoning of one user out of the calls of another', async () => {
    const claude = await scriptedUpstream()
    const thinking = { type: 'thinking', thinking: 'What only the player knows', signature: 'sig' }
    const use = { type: 'tool_use', id: 'call_0', name: 'look', input: {} }
    claude.behave((response) =>
      sendJson(response, {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'c',
        content: [thinking, use],
        stop_reason: 'tool_use',
        usage: { input_tokens: 10, output_tokens: 5 },
      }),
    )
    await addChannel(app.root, {
      type: channelType.anthropic,
      base_url: claude.url,
      models: 'claude-sonnet-4-5',
    })
    await setPrice(app.root, 'claude-sonnet-4-5', 1)
    const other = await addCustomer(app.root, 'other player', 1_000_000)
    const call = { id: 'call_0', type: 'function', function: { name: 'look', arguments: '{}' } }
    const next = {
      model: 'claude-sonnet-4-5',
      reasoning_effort: 'low',
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_0', content: 'seen' },
      ],
    }
    await play(customer.client, { ...next, messages: next.messages.slice(0, 1) })
    for (const { client } of [other, customer]) await play(client, next)
    const [, ofOther, ofPlayer] = claude.calls.map(({ sent }) => sent)
    expect(ofPlayer).toContain(thinking.thinking)
    expect(ofOther).not.toContain(thinking.thinking)
    await claude.close()
  })

  it('streams', async () => {
    const answer = await play(customer.client, { ...body, stream: true })
    expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/)
  })

  it('takes max_tokens 0 for no limit', async () => {
    const scripted = await scriptedUpstream()
    scripted.behave((response) => void response.writeHead(500).end())
    await addChannel(app.root, { base_url: scripted.url, models: 'z' })
    await setPrice(app.root, 'z', 1)
    await play(customer.client, { ...body, model: 'z', max_tokens: 0 })
    expect(scripted.calls[0]?.body).toMatchObject({ model: 'z' })
    expect(scripted.calls[0]?.body).not.toHaveProperty('max_tokens')
    await scripted.close()
  })

  it('takes a group that the user may use, with its price', async () => {
    const answer = await play(customer.client, { ...body, group: 'vip' })
    expect(answer.status).toBe(200)
    const [row] = await consumptionRows(app.root, customer.username)
    expect(row).toMatchObject({ group: 'vip', token_name: 'playground-vip' })
  })

  it.each([
    {
      what: 'a foreign group',
      sent: { ...body, group: 'svip2' },
      status: 403,
      code: 'group_not_allowed',
    },
    { what: 'no model', sent: { messages: body.messages }, status: 400, code: 'model_required' },
    {
      what: 'an unknown model',
      sent: { ...body, model: 'x' },
      status: 404,
      code: 'model_not_found',
    },
  ])('refuses $what with $code', async ({ sent, status, code }) => {
    expect(await errorOf(await play(customer.client, sent))).toEqual({ status, code })
  })

  it('refuses whoever is not signed in', async () => {
    expect((await play(customer.client, body, { cookie: '' })).status).toBe(401)
    expect((await play(customer.client, body, { 'new-api-user': '' })).status).toBe(401)
  })

  it('refuses a relay key and a system access token', async () => {
    const relayKey = { cookie: '', authorization: `Bearer ${customer.key}` }
    expect((await play(customer.client, body, relayKey)).status).toBe(401)
    const token = await customer.client.get<string>('/api/user/token')
    const answer = await play(customer.client, body, { cookie: '', authorization: token })
    expect(await errorOf(answer)).toEqual({ status: 400, code: 'access_token_not_supported' })
  })

  it('counts against the model request limit', async () => {
    const limited = await addCustomer(app.root, 'limited', 1_000_000)
    const set = (name: string, value: string) =>
      app.root.put('/api/option/', { key: `ModelRequestRateLimit${name}`, value })
    await set('Count', '1')
    await set('Enabled', 'true')
    expect((await play(limited.client, body)).status).toBe(200)
    expect((await play(limited.client, body)).status).toBe(429)
    await set('Enabled', 'false')
  })
})
