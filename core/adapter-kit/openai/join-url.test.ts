import { describe, expect, it } from 'vitest'
import { joinUrl } from './join-url.ts'

describe('an address and a path', () => {
  it.each([
    ['https://a.example', '/v1/models', 'https://a.example/v1/models'],
    ['https://a.example/', '/v1/models', 'https://a.example/v1/models'],
    ['https://a.example/v1', '/v1/models', 'https://a.example/v1/models'],
    ['https://a.example/x/v1beta', '/v1beta/m', 'https://a.example/x/v1beta/m'],
    ['https://a.example/v2', '/v1/models', 'https://a.example/v2/v1/models'],
    ['https://a.example/v1', '/models', 'https://a.example/v1/models'],
    ['https://a.example/v1', 'https://b.example/x', 'https://b.example/x'],
  ])('%s and %s are %s', (base, path, url) => expect(joinUrl(base, path)).toBe(url))

  // As the providers' documents name them.
  it.each([
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', '/compatible-mode/v1/chat/completions'],
    ['https://ark.cn-beijing.volces.com/api/v3', '/api/v3/bots/chat/completions'],
    ['https://open.bigmodel.cn/api/paas/v4', '/api/paas/v4/embeddings'],
  ])('have what stands before the version once: %s', (base, path) => {
    expect(joinUrl(base, path)).toBe(new URL(path, base).href)
  })

  it.each([
    ['https://api.deepinfra.com/v1/openai', '/v1/openai/chat/completions'],
    ['https://api.deepinfra.com/v1/openai', '/v1/chat/completions'],
    ['https://generativelanguage.googleapis.com/v1beta/openai', '/v1/chat/completions'],
    ['https://api.novita.ai/v3/openai', '/v1/chat/completions'],
  ])('have the version once that stands before the dialect: %s and %s', (base, path) => {
    expect(joinUrl(base, path)).toBe(`${base}/chat/completions`)
  })

  it('have a version behind a dialect that names none', () => {
    const base = 'https://api.novita.ai/openai'
    expect(joinUrl(base, '/v1/models')).toBe(`${base}/v1/models`)
  })

  it.each([
    ['https://open.bigmodel.cn/api/coding/paas/v4', '/api/paas/v4/chat/completions'],
    ['https://ark.cn-beijing.volces.com/api/coding/v3', '/api/v3/chat/completions'],
    ['https://coding.dashscope.aliyuncs.com/v1', '/compatible-mode/v1/chat/completions'],
  ])('lead to the surface of a subscription: %s', (base, path) => {
    expect(joinUrl(base, path)).toBe(`${base}/chat/completions`)
  })
})
