import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { flushed, relayRoom, writeEvents } from '#test'

const room = relayRoom({ channels: [{ models: 'gpt-image-1,tts-1' }], customer: 'painter' })

const partial = { type: 'image_generation.partial_image', b64_json: 'eA==' }
const completed = {
  type: 'image_generation.completed',
  b64_json: 'eA==',
  usage: { input_tokens: 10, output_tokens: 100, total_tokens: 110 },
}
const failure = { message: 'No luck at https://inner.example.com', type: 'server_error', code: 'x' }

async function draw(): Promise<{ status: number; text: string }> {
  const response = await room.post('/v1/images/generations', {
    model: 'gpt-image-1',
    prompt: 'a cat',
    stream: true,
  })
  return { status: response.status, text: await response.text() }
}

describe('a streamed picture', () => {
  it('is passed on as it came and charged by its usage', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, [partial, completed])
      response.end()
    })
    const { text } = await draw()
    expect(text).toBe(`data: ${JSON.stringify(partial)}\n\ndata: ${JSON.stringify(completed)}\n\n`)
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 10, completion_tokens: 100 })
  })

  it('is charged with all others of its stream that tell their own usage', async () => {
    const other = { ...completed, usage: { input_tokens: 10, output_tokens: 50, total_tokens: 60 } }
    room.upstream.behave((response) => {
      writeEvents(response, [partial, completed, partial, other])
      response.end()
    })
    await draw()
    expect(await room.lastRow()).toMatchObject({ prompt_tokens: 20, completion_tokens: 150 })
  })

  it('is charged by the total that an event of its own tells at the end', async () => {
    const total = { type: 'image_generation.completed', usage: { output_tokens: 90 } }
    room.upstream.behave((response) => {
      writeEvents(response, [completed, completed, total])
      response.end()
    })
    await draw()
    expect(await room.lastRow()).toMatchObject({ completion_tokens: 90 })
  })

  it('whose first event is an error is an error with its status, however the bytes are cut', async () => {
    room.upstream.behave(async (response) => {
      writeEvents(response, [': hello\n\ndata: {"type":"err'])
      await new Promise((resolve) => setTimeout(resolve, 30))
      response.end(`or","error":${JSON.stringify(failure)}}\n\n`)
    })
    const { status, text } = await draw()
    expect(status).toBe(502)
    expect(text).toContain('No luck at ***')
  })

  it('that fails after output ends with an error event without hosts', async () => {
    room.upstream.behave((response) => {
      writeEvents(response, [partial, { type: 'error', error: failure }])
      response.end()
    })
    const client = new OpenAI({
      baseURL: `${room.app.url}/v1`,
      apiKey: room.customer.key,
      maxRetries: 0,
    })
    const seen: string[] = []
    const reading = (async () => {
      const events = await client.images.generate({
        model: 'gpt-image-1',
        prompt: 'a cat',
        stream: true,
      })
      for await (const event of events) seen.push(event.type)
    })()
    await expect(reading).rejects.toThrow('No luck at ***')
    expect(seen).toEqual(['image_generation.partial_image'])
    expect((await room.lastRow())?.other).toContain('upstream_cut')
  })

  it.each([
    [[{ quality: 'high', size: '1024x1024' }], 4_260],
    [
      [
        { quality: 'low', size: '1536x1024' },
        { quality: 'low', size: '1536x1024' },
      ],
      608,
    ],
    [[{}], 1_500],
  ])(
    'that breaks off after the previews %j costs the picture, %i tokens',
    async (shown, tokens) => {
      room.upstream.behave((response) => {
        writeEvents(
          response,
          shown.map((one) => ({ ...partial, ...one })),
        )
        response.end()
      })
      await draw()
      const row = await room.lastRow()
      expect(row).toMatchObject({ completion_tokens: tokens, prompt_tokens: 2 })
      expect(row?.quota).toBe((2 + tokens * 8) * 2.5)
      expect(row?.other).toContain('"estimated":true')
    },
  )

  it.each(['ends', 'breaks'])(
    'that %s before its last event ends with an error event',
    async (how) => {
      room.upstream.behave(async (response) => {
        writeEvents(response, [partial])
        if (how === 'ends') return void response.end()
        await flushed(response)
        response.destroy()
      })
      const { status, text } = await draw()
      expect(status).toBe(200)
      expect(text).toContain('data: {"error":')
    },
  )
})
