// What Google's SDK asks for beside chats, on upstreams of both kinds.
import { GoogleGenAI } from '@google/genai'
import { beforeAll, describe, expect, it } from 'vitest'
import { addChannel, relayRoom, sendJson, setPrice } from '#test'

let client: GoogleGenAI
const room = relayRoom({
  channels: [{ models: 'm,gpt-image-1' }, { models: 'g,imagen-4.0-generate-001', type: 24 }],
  priced: ['m', 'g', 'imagen-4.0-generate-001'],
  customer: 'googler',
})

beforeAll(() => {
  client = new GoogleGenAI({ apiKey: room.customer.key, httpOptions: { baseUrl: room.app.url } })
})

describe('embeddings', () => {
  const config = { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 }

  it('keep their purpose on the way to Gemini', async () => {
    room.upstream.behave((response) => sendJson(response, { embeddings: [{ values: [1, 2] }] }))
    const answer = await client.models.embedContent({ model: 'g', contents: 'Hi', config })
    expect(answer.embeddings?.[0]?.values).toEqual([1, 2])
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      requests: [{ taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 }],
    })
  })

  it('leave it out where nobody knows it', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
    room.upstream.behave((response) => sendJson(response, { object: 'list', data, model: 'm' }))
    const answer = await client.models.embedContent({ model: 'm', contents: 'Hi', config })
    expect(answer.embeddings?.[0]?.values).toEqual([1, 2])
    expect(room.upstream.calls.at(-1)?.body).toEqual({
      model: 'm',
      input: ['Hi'],
      encoding_format: 'float',
      dimensions: 2,
    })
  })
})

describe('pictures by :predict', () => {
  const body = {
    instances: [{ prompt: 'a cat' }],
    parameters: { sampleCount: 2, aspectRatio: '16:9' },
  }
  const predict = async (model: string, sent: object) => {
    const response = await fetch(`${room.app.url}/v1beta/models/${model}:predict`, {
      method: 'POST',
      headers: { 'x-goog-api-key': room.customer.key, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    return (await response.json()) as { predictions?: unknown[]; error?: { message: string } }
  }

  it('are drawn by Imagen', async () => {
    const picture = { bytesBase64Encoded: 'eA==', mimeType: 'image/png' }
    room.upstream.behave((response) => sendJson(response, { predictions: [picture, picture] }))
    const { predictions } = await predict('imagen-4.0-generate-001', body)
    expect(predictions).toEqual([picture, picture])
    expect(room.upstream.calls.at(-1)?.body).toMatchObject(body)
  })

  it('are drawn by models of other families', async () => {
    room.upstream.behave((response) =>
      sendJson(response, { created: 1, data: [{ b64_json: 'eA==' }] }),
    )
    const { predictions } = await predict('gpt-image-1', body)
    expect(predictions).toEqual([{ bytesBase64Encoded: 'eA==', mimeType: 'image/png' }])
    expect(room.upstream.calls.at(-1)?.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'a cat',
      n: 2,
      size: '1792x1024',
    })
  })

  it.each(['imagen-4.0-generate-001', 'gpt-image-1'])(
    'are drawn for a single instance without a list: %s',
    async (model) => {
      room.upstream.behave((response) =>
        sendJson(response, {
          predictions: [{ bytesBase64Encoded: 'eA==', mimeType: 'image/png' }],
          data: [{ b64_json: 'eA==' }],
        }),
      )
      const { predictions } = await predict(model, { ...body, instances: { prompt: 'a cat' } })
      expect(predictions).toHaveLength(1)
    },
  )

  it('need a prompt', async () => {
    const { error } = await predict('gpt-image-1', { instances: [{}] })
    expect(error).toMatchObject({ status: 'INVALID_ARGUMENT' })
    expect(error?.message).toContain('instances[0].prompt is required')
  })
})

describe('a single object where the API has a list', () => {
  const path = (model: string, action: string) => `${room.app.url}/v1beta/models/${model}:${action}`
  const ask = async (url: string, sent: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'x-goog-api-key': room.customer.key, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    return { status: response.status, body: (await response.json()) as object }
  }
  // As in the examples of Google's pages.
  const sent = {
    system_instruction: { parts: { text: 'Be a cat.' } },
    contents: { role: 'user', parts: { text: 'Hi' } },
    tools: { function_declarations: { name: 'purr', description: 'Purrs.' } },
    safety_settings: { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
  }

  it('reaches Gemini as a list', async () => {
    const parts = [{ text: 'Purr' }]
    room.upstream.behave((response) =>
      sendJson(response, { candidates: [{ content: { role: 'model', parts } }] }),
    )
    expect((await ask(path('g', 'generateContent'), sent)).status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      system_instruction: { parts: [{ text: 'Be a cat.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ function_declarations: [{ name: 'purr' }] }],
    })
  })

  it('reaches other upstreams as a conversation', async () => {
    room.upstream.behave((response) =>
      sendJson(response, {
        object: 'chat.completion',
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Purr' } }],
      }),
    )
    expect((await ask(path('m', 'generateContent'), sent)).status).toBe(200)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be a cat.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ function: { name: 'purr' } }],
    })
  })

  it('is counted by Gemini with the instructions of the channel, for its SDK', async () => {
    const setting = JSON.stringify({ system_prompt: 'Answer in verse.' })
    const fields = { type: 24, base_url: room.upstream.url, models: 'poet', setting }
    await addChannel(room.app.root, fields)
    await setPrice(room.app.root, 'poet', 1)
    room.upstream.behave((response) => sendJson(response, { totalTokens: 42 }))
    const answer = await client.models.countTokens({ model: 'poet', contents: 'Hi' })
    expect(answer.totalTokens).toBe(42)
    expect(room.upstream.calls.at(-1)?.path).toMatch(/models\/poet:countTokens$/)
    expect(room.upstream.calls.at(-1)?.body).toMatchObject({
      generateContentRequest: { systemInstruction: { parts: [{ text: 'Answer in verse.' }] } },
    })
  })

  it('is counted', async () => {
    const { body } = await ask(path('m', 'countTokens'), { contents: sent.contents })
    expect(body).toEqual({ totalTokens: expect.any(Number) as number })
    const whole = await ask(path('m', 'countTokens'), { generateContentRequest: sent })
    expect(whole.status).toBe(200)
  })
})
