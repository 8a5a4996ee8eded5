// What Google's SDK asks for beside chats, on upstreams of both kinds.
import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  setPrice,
  startApp,
} from '#test'

let app: App
let upstream: ScriptedUpstream
let customer: Customer
let client: GoogleGenAI

beforeAll(async () => {
  upstream = await scriptedUpstream()
  app = await startApp()
  const base_url = upstream.url
  await addChannel(app.root, { base_url, models: 'm,gpt-image-1' })
  await addChannel(app.root, { base_url, models: 'g,imagen-4.0-generate-001', type: 24 })
  for (const model of ['m', 'g', 'imagen-4.0-generate-001']) await setPrice(app.root, model, 1)
  customer = await addCustomer(app.root, 'googler', 10_000_000)
  client = new GoogleGenAI({ apiKey: customer.key, httpOptions: { baseUrl: app.url } })
})

afterAll(async () => {
  await app.close()
  await upstream.close()
})

describe('embeddings', () => {
  const config = { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 }

  it('keep their purpose on the way to Gemini', async () => {
    upstream.behave((response) => sendJson(response, { embeddings: [{ values: [1, 2] }] }))
    const answer = await client.models.embedContent({ model: 'g', contents: 'Hi', config })
    expect(answer.embeddings?.[0]?.values).toEqual([1, 2])
    expect(upstream.calls.at(-1)?.body).toMatchObject({
      requests: [{ taskType: 'RETRIEVAL_QUERY', outputDimensionality: 2 }],
    })
  })

  it('leave it out where nobody knows it', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [1, 2] }]
    upstream.behave((response) => sendJson(response, { object: 'list', data, model: 'm' }))
    const answer = await client.models.embedContent({ model: 'm', contents: 'Hi', config })
    expect(answer.embeddings?.[0]?.values).toEqual([1, 2])
    expect(upstream.calls.at(-1)?.body).toEqual({
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
    const response = await fetch(`${app.url}/v1beta/models/${model}:predict`, {
      method: 'POST',
      headers: { 'x-goog-api-key': customer.key, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    return (await response.json()) as { predictions?: unknown[]; error?: { message: string } }
  }

  it('are drawn by Imagen', async () => {
    const picture = { bytesBase64Encoded: 'eA==', mimeType: 'image/png' }
    upstream.behave((response) => sendJson(response, { predictions: [picture, picture] }))
    const { predictions } = await predict('imagen-4.0-generate-001', body)
    expect(predictions).toEqual([picture, picture])
    expect(upstream.calls.at(-1)?.body).toMatchObject(body)
  })

  it('are drawn by models of other families', async () => {
    upstream.behave((response) => sendJson(response, { created: 1, data: [{ b64_json: 'eA==' }] }))
    const { predictions } = await predict('gpt-image-1', body)
    expect(predictions).toEqual([{ bytesBase64Encoded: 'eA==', mimeType: 'image/png' }])
    expect(upstream.calls.at(-1)?.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'a cat',
      n: 2,
      size: '1792x1024',
    })
  })

  it('need a prompt', async () => {
    const { error } = await predict('gpt-image-1', { instances: [{}] })
    expect(error).toMatchObject({ status: 'INVALID_ARGUMENT' })
    expect(error?.message).toContain('instances[0].prompt is required')
  })
})
