// Pictures are paid by the picture: what asks for more under any name is reserved, what came is charged.
import { describe, expect, it } from 'vitest'
import { addCustomer, balanceOf, relayRoom, sendJson, writeEvents } from '#test'

/** Quota of one picture: 0.0025 dollars at a ratio of 1, and 500 000 units a dollar. */
const ONE = 1250
const HAS = 1_000_000

const room = relayRoom({
  plugins: ['siliconflow', 'replicate', 'volcengine'],
  channels: [
    { models: 'm,dall-e-9,__proto__,constructor' },
    { models: 's', type: 40 },
    { models: 'r', type: 56 },
  ],
  priced: ['m', 's', 'r', 'dall-e-9'],
  customer: 'painter',
  balance: HAS,
  isAnew: true,
})

function draw(body: object, key = room.customer.key): Promise<Response> {
  return fetch(`${room.app.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a cat', ...body }),
  })
}

function answerWith(count: number): void {
  const urls = Array.from({ length: count }, (_, index) => `https://example.com/${index}.png`)
  room.upstream.behave((response, { path }) =>
    sendJson(
      response,
      path.includes('predictions')
        ? { status: 'succeeded', output: urls }
        : { created: 1, data: urls.map((url) => ({ url })) },
    ),
  )
}

describe('pictures', () => {
  it.each([
    { body: { model: 'm' }, came: 1 },
    { body: { model: 'm', n: 3 }, came: 3 },
    { body: { model: 'm', n: 3 }, came: 2 },
    { body: { model: 'm', n: 1 }, came: 4 },
    { body: { model: 'm', images_wanted: 4 }, came: 4 },
    { body: { model: 's', n: 1, batch_size: 4 }, came: 4 },
    { body: { model: 'r', num_outputs: 4 }, came: 4 },
  ])('are charged as they came: $body, $came came', async ({ body, came }) => {
    answerWith(came)
    expect((await draw(body)).status).toBe(200)
    const row = await room.lastRow()
    expect(row?.quota).toBe(came * ONE)
    expect(row?.other).toContain(`"total":${came * ONE}`)
    expect(await balanceOf(room.customer)).toBe(HAS - came * ONE)
  })

  it.each([
    { model: 's', batch_size: 4 },
    { model: 'r', num_outputs: 4 },
  ])('are reserved for under any name: %j', async (body) => {
    const poor = await addCustomer(room.app.root, `poor-of-${room.customer.username}`, 3 * ONE)
    answerWith(4)
    room.upstream.calls.length = 0
    expect((await draw(body, poor.key)).status).toBe(403)
    expect(room.upstream.calls).toEqual([])
  })

  it.each([
    { model: 's', batch_size: 1.5 },
    { model: 'r', num_outputs: '4' },
    { model: 'm', sequential_image_generation_options: { max_images: 1e9 } },
  ])('are not asked for by what is no count: %j', async (body) => {
    expect((await draw(body)).status).toBe(400)
  })

  it('written as SVG are charged for their author as well', async () => {
    const usage = { model: 'gpt-6.2-sol', input_tokens: 1_500, output_tokens: 4_000 }
    room.upstream.behave((response) =>
      sendJson(response, { created: 1, data: [{ b64_json: 'YQ==' }], svg_usage: usage }),
    )
    expect((await draw({ model: 'm', output_format: 'svg' })).status).toBe(200)
    expect((await room.lastRow())?.quota).toBe(ONE + 1_500 + 4_000 * 5)
    room.upstream.behave((response) =>
      sendJson(response, {
        created: 1,
        data: [{ b64_json: 'YQ==' }],
        svg_usage: { ...usage, model: '__proto__', output_tokens: -1 },
      }),
    )
    expect((await draw({ model: 'm', output_format: 'svg' })).status).toBe(200)
    expect((await room.lastRow())?.quota).toBe(ONE)
  })

  it('of a stream are charged when more came than was asked', async () => {
    room.upstream.behave((response) => {
      const event = (type: string) => ({ type: `image_generation.${type}`, b64_json: 'YQ==' })
      writeEvents(response, ['partial_image', 'completed', 'completed'].map(event))
      response.end()
    })
    await (await draw({ model: 'm', stream: true })).text()
    const row = await room.lastRow()
    expect(row?.quota).toBe(2 * ONE)
  })
})

describe('names that every object of the language has', () => {
  it.each([
    { model: '__proto__', status: 400 },
    { model: 'constructor', status: 400 },
    { model: 'toString', status: 404 },
    { model: 'dall-e-9', size: 'constructor', status: 200 },
    { model: 'dall-e-9', size: '__proto__', status: 200 },
    { model: 'r', size: '__proto__', status: 200 },
  ])('are plain text: $model, $size', async ({ status, ...body }) => {
    answerWith(1)
    const text = JSON.stringify({ prompt: 'a cat', ...body })
    const response = await fetch(`${room.app.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${room.customer.key}` },
      body: text,
    })
    expect(response.status).toBe(status)
  })
})
