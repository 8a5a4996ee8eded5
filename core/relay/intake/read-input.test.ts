import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { readInput } from './read-input.ts'

const options = { get: <T>() => ({}) as T }

function readImages(body: object) {
  const request = { headers: {}, body: Buffer.from(JSON.stringify({ prompt: 'a cat', ...body })) }
  const shape = {
    operation: 'images.generations',
    dialect: 'openai-chat',
    defaultModel: 'dall-e',
  } as const
  return readInput(request as unknown as FastifyRequest, shape, options)
}

describe('the size of a picture', () => {
  it.each([
    { model: 'dall-e-2', size: '512x512' },
    { model: 'dall-e-3', size: '1792x1024' },
    { model: 'gpt-image-1', size: '1536x1024' },
    { model: 'imagen-4', size: '512x512' },
    { size: '256x256' },
  ])('may be as in %j', async (body) => {
    expect((await readImages(body)).fault).toBeUndefined()
  })

  it.each([
    { model: 'dall-e-2', size: '1792x1024' },
    { model: 'dall-e-3', size: '512x512' },
    { size: '1x1' },
    { model: 'gpt-image-1', size: '1024×1024' },
  ])('is refused as in %j', async (body) => {
    expect((await readImages(body)).fault).toMatchObject({ status: 400, field: 'size' })
  })
})
