import { expect, it } from 'vitest'
import type { HttpClient, UpstreamRequest } from '../contract/http-client.ts'
import { UpstreamError } from '../contract/errors.ts'
import { askWithKey } from './ask-with-key.ts'

/** An upstream that notes what it is asked. */
function upstream(status: number, body: unknown): { http: HttpClient; asked: UpstreamRequest[] } {
  const asked: UpstreamRequest[] = []
  const json: HttpClient['json'] = async (request) => {
    asked.push(request)
    return { status, headers: {}, body }
  }
  return { http: { json } as HttpClient, asked }
}

it.each([
  [{ baseUrl: 'https://a.example/v1', key: 'k' }, '/v1/me', 'https://a.example/v1/me', 'Bearer k'],
  [{ baseUrl: 'https://a.example', key: '' }, '/v1/me', 'https://a.example/v1/me', undefined],
  [
    { baseUrl: 'https://a.example/v1', key: 'k' },
    'https://b.example/me',
    'https://b.example/me',
    'Bearer k',
  ],
])('asks with the key of %j at %s', async (channel, path, url, authorization) => {
  const { http, asked } = upstream(200, { left: 1 })
  expect(await askWithKey(http, channel, path, {})).toEqual({ left: 1 })
  expect(asked[0]).toMatchObject({ method: 'GET', url })
  expect(asked[0]?.headers['authorization']).toBe(authorization)
})

it.each([
  [402, { error: { message: 'Pay first.' } }, 'Pay first.'],
  [200, 'Hello', ''],
])('throws what the upstream says for an answer %i that is none', async (status, body, message) => {
  const { http } = upstream(status, body)
  const asking = askWithKey(http, { baseUrl: 'https://a.example', key: 'k' }, '/me', {})
  await expect(asking).rejects.toThrow(UpstreamError)
  await expect(asking).rejects.toThrow(message)
})
