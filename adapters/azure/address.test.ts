import { describe, expect, it } from 'vitest'
import type { AttemptContext } from '#core'
import { realtimeAddress, responsesAddress, takesStreamOptions, taskAddress } from './address.ts'

function context(changes: {
  other?: string
  baseUrl?: string
  asked?: string
  variable?: string
}): AttemptContext {
  const { other = '2024-10-21', baseUrl = 'https://x.openai.azure.com', asked, variable } = changes
  return {
    model: 'my gpt',
    channel: { baseUrl, other },
    clientQuery: asked === undefined ? {} : { 'api-version': asked },
    variable: () => variable,
  } as unknown as AttemptContext
}

describe('the addresses of Azure', () => {
  it.each([
    { says: 'the channel', given: {}, version: '2024-10-21' },
    { says: 'the client first', given: { asked: '2025-01-01' }, version: '2025-01-01' },
    {
      says: 'the environment',
      given: { other: '', variable: '2023-05-15' },
      version: '2023-05-15',
    },
    { says: 'the default', given: { other: '' }, version: '2024-12-01-preview' },
  ])('take the API version that $says says', ({ given, version }) => {
    expect(taskAddress('embeddings')(context(given))).toBe(
      `https://x.openai.azure.com/openai/deployments/my%20gpt/embeddings?api-version=${version}`,
    )
  })

  it('have no prefix behind the gateway of Cloudflare', () => {
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/a/g/azure-openai/resource'
    expect(taskAddress('chat/completions')(context({ baseUrl }))).toBe(
      `${baseUrl}/my%20gpt/chat/completions?api-version=2024-10-21`,
    )
  })

  it.each([
    { given: {}, url: 'https://x.openai.azure.com/openai/v1/responses?api-version=preview' },
    { given: { other: 'v1' }, url: 'https://x.openai.azure.com/openai/v1/responses' },
    {
      given: { baseUrl: 'https://x.cognitiveservices.azure.com' },
      url: 'https://x.cognitiveservices.azure.com/openai/responses?api-version=2024-10-21',
    },
  ])('of responses: $url', ({ given, url }) => {
    expect(responsesAddress(context(given))).toBe(url)
  })

  it.each([
    {
      given: {},
      url: 'wss://x.openai.azure.com/openai/realtime?deployment=my%20gpt&api-version=2024-10-21',
    },
    { given: { other: 'v1' }, url: 'wss://x.openai.azure.com/openai/v1/realtime?model=my%20gpt' },
  ])('of realtime sessions: $url', ({ given, url }) => {
    expect(realtimeAddress(context(given))).toBe(url)
  })

  it.each([
    ['live', 'live/sessions'],
    ['realtime.transcription', 'realtime?intent=transcription'],
  ] as const)('of the API %s have no dated version', (api, path) => {
    const url = `wss://x.openai.azure.com/openai/v1/${path}`
    expect(realtimeAddress(context({}), api)).toBe(url)
  })

  it.each([
    { other: '', path: '/openai/v1', url: '/openai/v1/chat/completions' },
    {
      other: '2024-10-21',
      path: '/openai/v1',
      url: '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21',
    },
    {
      other: '2024-10-21',
      path: '/openai',
      url: '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21',
    },
  ])('are found from the address with its path, $path and "$other"', ({ other, path, url }) => {
    const resource = 'https://x.openai.azure.com'
    const given = context({ other, baseUrl: resource + path })
    expect(taskAddress('chat/completions')(given)).toBe(resource + url)
    expect(responsesAddress(given)).toMatch('https://x.openai.azure.com/openai/v1/responses')
    expect(realtimeAddress(given)).toMatch(
      /^wss:\/\/x\.openai\.azure\.com\/openai\/(?:v1\/)?realtime/,
    )
  })

  it.each([
    { version: '2024-02-01', takes: false },
    { version: '2024-09-01-preview', takes: true },
    { version: 'v1', takes: true },
  ])('of $version take stream options: $takes', ({ version, takes }) => {
    expect(takesStreamOptions(version)).toBe(takes)
  })
})
