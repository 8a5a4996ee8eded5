// The tool `image_generation` of /v1/responses can name the model that draws, which is not the model of the call.
import { beforeAll, describe, expect, it } from 'vitest'
import { addChannel, addCustomer, type Customer, relayRoom, sendJson } from '#test'

const room = relayRoom({
  channels: [{ models: 'gpt-5.4,gpt-image-2' }],
  priced: ['gpt-5.4', 'gpt-image-2', 'gpt-image-1.5'],
  customer: 'painter',
})
let bound: Customer

beforeAll(async () => {
  await room.app.root.call('PUT', '/api/option/', {
    key: 'GroupRatio',
    value: '{"default":1,"vip":1}',
  })
  const only = { base_url: room.upstream.url, models: 'gpt-image-1.5', group: 'vip' }
  await addChannel(room.app.root, only)
  bound = await addCustomer(room.app.root, 'bound', 1_000_000, {
    model_limits_enabled: true,
    model_limits: 'gpt-5.4',
  })
  room.upstream.behave((response) =>
    sendJson(response, {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'gpt-5.4',
      output: [],
      usage: { input_tokens: 4, output_tokens: 1, total_tokens: 5 },
    }),
  )
})

async function drawn(tools: readonly object[], key = room.customer.key, more: object = {}) {
  const before = room.upstream.calls.length
  const drawing = tools.map((tool) => ({ type: 'image_generation', ...tool }))
  const answer = await room.post(
    '/v1/responses',
    { model: 'gpt-5.4', input: 'A cat', tools: [{ type: 'web_search' }, ...drawing], ...more },
    { authorization: `Bearer ${key}` },
  )
  const { error } = (await answer.json()) as { error?: { code: string; param: string } | null }
  return { status: answer.status, error, asked: room.upstream.calls.length - before }
}

async function pictured(body: object, key: string) {
  const before = room.upstream.calls.length
  const isForm = body instanceof FormData
  const answer = await fetch(`${room.app.url}/v1/images/${isForm ? 'edits' : 'generations'}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify({ model: 'gpt-image-2', prompt: 'A cat', ...body }),
  })
  const { error } = (await answer.json()) as { error?: { code: string; param: string } | null }
  return { status: answer.status, error, asked: room.upstream.calls.length - before }
}

describe('the model that a tool draws with', () => {
  it.each([{ model: 'gpt-image-2' }, {}])('is any that the group has: %j', async (tool) => {
    expect(await drawn([tool])).toMatchObject({ status: 200, asked: 1 })
  })

  it('is none that the token may not use', async () => {
    expect(await drawn([{ model: 'gpt-image-2' }], bound.key)).toMatchObject({
      status: 403,
      error: { code: 'model_not_allowed', param: 'tools[1].model' },
      asked: 0,
    })
  })

  it('is none that the token may not use, though it is the usual one and not named', async () => {
    for (const tool_choice of ['required', { type: 'image_generation' }])
      expect(await drawn([{}], bound.key, { tool_choice })).toMatchObject({
        status: 403,
        error: { code: 'model_not_allowed', param: 'tools' },
        asked: 0,
      })
    const alone = { tools: [{ type: 'image_generation' }] }
    expect(await drawn([], bound.key, alone)).toMatchObject({ status: 403, asked: 0 })
  })

  it('is left out where the token may not use it and the call has other tools', async () => {
    expect(await drawn([{}], bound.key)).toMatchObject({ status: 200, asked: 1 })
    const offered = (key: string) =>
      drawn([{}], key).then(() => room.upstream.calls.at(-1)?.body['tools'])
    expect(await offered(bound.key)).toEqual([{ type: 'web_search' }])
    expect(await offered(room.customer.key)).toHaveLength(2)
  })

  it('is none that other groups alone have', async () => {
    expect(await drawn([{ model: 'gpt-image-1.5' }])).toMatchObject({
      status: 503,
      error: { code: 'no_available_channel', param: 'tools[1].model' },
      asked: 0,
    })
  })

  it('is none without a price', async () => {
    expect(await drawn([{ model: 'gpt-image-9' }])).toMatchObject({
      status: 400,
      error: { code: 'model_price_error', param: 'tools[1].model' },
      asked: 0,
    })
  })

  it.each([
    { model: 'gpt-5.4', may: 'gpt-image-2', status: 403, code: 'model_not_allowed' },
    { model: 'gpt-image-1.5', status: 503, code: 'no_available_channel' },
    { model: 'gpt-image-9', status: 400, code: 'model_price_error' },
  ])('is asked the same when it writes SVG: $model', async ({ model, may, status, code }) => {
    const limits = { model_limits_enabled: may !== undefined, model_limits: may ?? '' }
    const { key } = await addCustomer(room.app.root, `writer-${status}`, 1_000_000, limits)
    const error = (param: string) => ({ status, error: { code, param }, asked: 0 })
    if (!may)
      expect(await drawn([{ svg: { model } }], key)).toMatchObject(error('tools[1].svg.model'))
    expect(await pictured({ svg: { model } }, key)).toMatchObject(error('svg.model'))
    const form = new FormData()
    form.set('model', 'gpt-image-2')
    form.set('prompt', 'A cat')
    form.set('image', new Blob(['AAAA'], { type: 'image/png' }), 'cat.png')
    form.set('svg[model]', model)
    expect(await pictured(form, key)).toMatchObject(error('svg[model]'))
  })

  it('is one, for one price holds for all that is drawn', async () => {
    const tools = [{ model: 'gpt-image-2' }, { model: 'gpt-image-1.5' }]
    expect(await drawn(tools)).toMatchObject({ status: 400, error: { param: 'tools' }, asked: 0 })
    expect(await drawn([{ model: 'gpt-image-2' }, {}])).toMatchObject({ status: 400, asked: 0 })
  })
})
