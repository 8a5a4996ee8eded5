import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { clientAddressOf } from '../../core/http/client-info.ts'
import { unnamedProxyOf } from './unnamed-proxy.ts'

/** The answer of a gateway with these TRUSTED_PROXIES to a caller from `remoteAddress`. */
async function shownTo(trusted: readonly string[], remoteAddress: string, forwarded?: string) {
  const app = Fastify({ trustProxy: trusted.length > 0 ? [...trusted] : false })
  app.get('/', (request) => ({
    proxy: unnamedProxyOf(Object.assign(request, { clientAddress: clientAddressOf(request) })),
  }))
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  const answer = await app.inject({ url: '/', headers, remoteAddress })
  await app.close()
  return answer.json<{ proxy: string | null }>().proxy
}

it('names a proxy that forwards and is not trusted', async () => {
  expect(await shownTo([], '127.0.0.1', '203.0.113.7')).toBe('127.0.0.1')
  expect(await shownTo([], '::ffff:172.18.0.1', '203.0.113.7')).toBe('172.18.0.1')
  expect(await shownTo(['10.0.0.0/8'], '172.18.0.1', '203.0.113.7')).toBe('172.18.0.1')
})

it('says nothing without a proxy, and nothing of one that is trusted', async () => {
  expect(await shownTo([], '203.0.113.7')).toBeNull()
  expect(await shownTo(['127.0.0.1'], '127.0.0.1', '203.0.113.7')).toBeNull()
  // The caller is on the proxy's own machine.
  expect(await shownTo(['127.0.0.1'], '127.0.0.1', '127.0.0.1')).toBeNull()
})
