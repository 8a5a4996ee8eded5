import { describe, expect, it } from 'vitest'
import type { AttemptContext } from '#core'
import openai from './index.ts'

describe('the addresses of OpenAI', () => {
  it.each([
    { baseUrl: 'https://api.openai.com', url: 'https://api.openai.com/v1/embeddings' },
    { baseUrl: 'https://host.example/v1', url: 'https://host.example/v1/embeddings' },
    {
      baseUrl: 'https://gateway.ai.cloudflare.com/v1/account/gateway/openai',
      url: 'https://gateway.ai.cloudflare.com/v1/account/gateway/openai/embeddings',
    },
  ])('behind $baseUrl have one version', async ({ baseUrl, url }) => {
    const context = { channel: { baseUrl, key: 'k', organization: '' } } as AttemptContext
    expect(await openai.operations.embeddings?.endpoint(context)).toMatchObject({ url })
  })
})
