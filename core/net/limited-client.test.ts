import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../contract/http-client.ts'
import { limitedClient } from './limited-client.ts'

/** Answers every call; `from` leads on to `to`. */
function client(from = '', to = '') {
  const called: string[] = []
  /** How many redirects the client itself may follow. */
  const followed: unknown[] = []
  const answer = (url: string) => {
    called.push(url)
    return url === from
      ? { status: 302, headers: { location: to }, body: undefined }
      : { status: 200, headers: {}, body: undefined }
  }
  const http = {
    json: ({ url }: { url: string }, options?: { maxRedirects?: number }) => {
      followed.push(options?.maxRedirects)
      return Promise.resolve(answer(url))
    },
    webSocket: (url: string) => Promise.resolve(answer(url)),
  } as unknown as HttpClient
  const hosts = ['api.example.com', '*.example.org', '127.0.0.1:8080']
  return { called, followed, limited: limitedClient(http, hosts) }
}

describe('the client of a plugin that names its hosts', () => {
  it.each([
    ['https://api.example.com/v1', true],
    ['https://api.example.com:8443/', true],
    ['https://API.EXAMPLE.COM/', true],
    ['http://127.0.0.1:8080/', true],
    ['http://127.0.0.1/', false],
    ['https://a.b.example.org/', true],
    ['https://example.org/', false],
    ['https://evil-example.org/', false],
    ['https://api.example.com.evil.net/', false],
    ['https://api.example.com@evil.net/', false],
    ['https://evil.net/?api.example.com', false],
  ])('calls %s: %s', async (url, isCalled) => {
    const { called, limited } = client()
    const call = limited.json({ method: 'GET', url, headers: {} })
    if (isCalled) await call
    else await expect(call).rejects.toThrow('does not name')
    expect(called).toHaveLength(isCalled ? 1 : 0)
    const socket = limited.webSocket(url)
    if (isCalled) await socket
    else await expect(socket).rejects.toThrow('does not name')
  })

  it('is not led elsewhere by a redirect', async () => {
    const { called, followed, limited } = client('https://api.example.com/a', 'https://evil.net/b')
    const request = { method: 'GET', url: 'https://api.example.com/a', headers: {} }
    await expect(limited.json(request, { maxRedirects: 3 })).rejects.toThrow('evil.net')
    expect(called).toEqual(['https://api.example.com/a'])
    // The client below would follow redirects unseen.
    expect(followed).toEqual([0])
    const inside = client('https://api.example.com/a', '/b')
    expect(await inside.limited.json(request, { maxRedirects: 1 })).toMatchObject({ status: 200 })
    expect(inside.called).toEqual(['https://api.example.com/a', 'https://api.example.com/b'])
  })
})
