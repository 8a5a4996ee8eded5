// Pictures that OpenAI's tool `image_generation` draws in an answer are charged by their tokens, at the prices of the model that draws.
import { describe, expect, it } from 'vitest'
import { relayRoom, writeEvents } from '#test'

const room = relayRoom({
  channels: [{ models: 'gpt-5.4' }],
  priced: ['gpt-5.4'],
  customer: 'drawer',
})

const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' }
const drawn = {
  input_tokens: 1_100,
  input_tokens_details: { text_tokens: 100, image_tokens: 1_000 },
  output_tokens: 1_056,
  output_tokens_details: { text_tokens: 0, image_tokens: 1_056 },
  total_tokens: 2_156,
}
const svgUsage = { input_tokens: 1_500, output_tokens: 4_000, reasoning_tokens: 3_000 }
const nothing = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }

function answer(imageUsage: object, svgs: readonly object[]) {
  const items = svgs.map((svg) => ({ ...item, output_format: 'svg', svg_usage: svg }))
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5.4',
    output: items.length === 0 ? [item] : items,
    usage: { input_tokens: 40, output_tokens: 10, total_tokens: 50 },
    tool_usage: { image_gen: imageUsage, web_search: { num_requests: 0 } },
  }
}

async function draw(
  tool: object,
  imageUsage: object = drawn,
  isStream = false,
  svgs: readonly object[] = [],
) {
  room.upstream.behave((response) => {
    const whole = answer(imageUsage, svgs)
    if (!isStream) return void response.end(JSON.stringify(whole))
    writeEvents(response, [{ type: 'response.completed', response: whole }])
    response.end()
  })
  const tools = [{ type: 'image_generation', ...tool }]
  const body = { model: 'gpt-5.4', input: 'A cat like this one', tools, stream: isStream }
  const response = await room.post('/v1/responses', body)
  expect(response.status).toBe(200)
  await response.text()
  const row = await room.lastRow()
  const other = JSON.parse(row.other) as {
    image_generation_model?: string
    svg_model?: string
    receipt: { lines: { part: string; count: number; amount: string }[] }
  }
  return { row, other }
}

describe('a picture that a tool draws', () => {
  it.each([false, true])('costs its tokens at the prices of its model (stream: %s)', async (is) => {
    const { row, other } = await draw({ model: 'gpt-image-2' }, drawn, is)
    // 100 x 2.5, 1000 x 2.5 x 1.6, 1056 x 2.5 x 6, and 50 tokens of the chat.
    expect(row).toMatchObject({ quota: 250 + 4_000 + 15_840 + 50, prompt_tokens: 40 })
    expect(other.image_generation_model).toBe('gpt-image-2')
    expect(other.receipt.lines.map(({ part, count }) => [part, count])).toEqual([
      ['input', 40],
      ['output', 10],
      ['image_generation:input', 100],
      ['image_generation:input_image', 1_000],
      ['image_generation:output', 1_056],
    ])
  })

  it('costs what the usual model does where the request names none', async () => {
    expect((await draw({})).other.image_generation_model).toBe('gpt-image-2.6-sunburst')
  })

  it('costs the price of the tool where its tokens are not told', async () => {
    await expectToolPrice(nothing, 'gpt-image-2')
  })

  it('costs the price of the tool where its model has none, and may do without', async () => {
    const allow = (value: boolean) =>
      room.app.root.call('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value })
    await allow(true)
    await expectToolPrice(drawn, 'gpt-image-9')
    await allow(false)
  })

  it.each([
    { author: 'gpt-6.2-sol', model: 'gpt-6.2-sol' },
    // A dated name that no table has costs what the name in the request does.
    { author: 'gpt-6.2-sol-2026-11-17', model: 'gpt-6.2-sol' },
    { author: 'gpt-5.4', model: undefined },
  ])('costs the tokens of $author, which wrote it as SVG, too', async ({ author, model }) => {
    const svg = { ...svgUsage, model: author }
    const tool = { output_format: 'svg', ...(model ? { svg: { model } } : {}) }
    for (const isStream of [false, true]) {
      const { row, other } = await draw(tool, drawn, isStream, [svg, svg])
      const [input, output] = model ? [1, 5] : [1, 1]
      expect(row.quota).toBe(20_090 + 50 + 2 * (1_500 * input + 4_000 * output))
      expect(other.svg_model).toBe(model ?? author)
      expect(other.receipt.lines.slice(-2)).toMatchObject([
        { part: 'svg:input', count: 3_000 },
        { part: 'svg:output', count: 8_000 },
      ])
    }
  })

  async function expectToolPrice(usage: object, model: string) {
    const { row, other } = await draw({ model }, usage)
    expect(row.quota).toBe(50 + 75_000)
    expect(other.receipt.lines.at(-1)).toMatchObject({ part: 'tool:image_generation', count: 1 })
  }
})
