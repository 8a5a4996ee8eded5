import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomer, type App, startApp } from '#test'
import { ApiClient } from '../../test/harness/api-client.ts'
import { customerPassword } from '../../test/harness/shop.ts'

let app: App
let host: Server
let answer: { status: number; body: string }

beforeAll(async () => {
  host = createServer((_request, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as AddressInfo
  app = await startApp({
    isWithin: true,
    env: { UPDATE_CHECK_URL: `http://127.0.0.1:${port}/latest` },
  })
})

afterAll(async () => {
  await app.close()
  host.close()
})

const ask = (client = app.root) => client.call('GET', '/api/setting/release')

describe('an option that two have open', () => {
  const save = (value: string, shown?: string) =>
    app.root.call('PUT', '/api/option/', { key: 'GroupRatio', value, shown })
  const stored = async () => {
    const { data } = await app.root.call<{ key: string; value: string }[]>('GET', '/api/option/')
    return data?.find(({ key }) => key === 'GroupRatio')?.value ?? ''
  }

  it('keeps what the first of them has saved, and tells the second', async () => {
    const shown = await stored()
    const first = '{"default":1,"vip":2}'
    expect(await save(first, shown)).toMatchObject({ success: true })
    const refused = await save('{"default":3}', shown)
    expect(refused).toMatchObject({ success: false, code: 'options.changed' })
    expect(refused.message).toContain('GroupRatio was changed elsewhere')
    expect(await stored()).toBe(first)
    expect(await save('{"default":3}', first)).toMatchObject({ success: true })
    // Scripts and consoles of earlier versions send it so.
    expect(await save('{"default":4}')).toMatchObject({ success: true })
  })

  it('takes one of two that save at the same moment', async () => {
    const shown = await stored()
    const both = await Promise.all([5, 6].map((ratio) => save(`{"default":${ratio}}`, shown)))
    expect(both.filter(({ success }) => success)).toHaveLength(1)
  })
})

it('refuses a group whose name looks like that of another', async () => {
  const value = '{"default":1,"v\u200bip":2}'
  const refused = await app.root.call('PUT', '/api/option/', { key: 'GroupRatio', value })
  expect(refused.success).toBe(false)
  expect(refused.message).toContain('a character that cannot be seen')
})

describe('the version check', () => {
  it('tells name and notes of the latest release, and nothing else of the answer', async () => {
    answer = { status: 200, body: JSON.stringify({ tag_name: 'v9.9.9', body: 'News', id: 7 }) }
    expect((await ask()).data).toEqual({ tag_name: 'v9.9.9', body: 'News' })
  })

  it.each([
    ['an answer that is no JSON', 200, 'hello'],
    ['a release without a name', 200, '{"body":"x"}'],
    ['an error', 500, '{"tag_name":"v1"}'],
  ])('says what to do after %s', async (_, status, body) => {
    answer = { status, body }
    const refused = await ask()
    expect(refused).toMatchObject({ success: false, code: 'settings.no_release' })
    expect(refused.message).toContain('UPDATE_CHECK_URL')
  })

  it('is for those who may read options', async () => {
    const customer = await addCustomer(app.root, 'curious', 0)
    const user = await new ApiClient(app.url).signIn(customer.username, customerPassword)
    expect((await ask(user)).success).toBe(false)
    expect((await fetch(`${app.url}/api/setting/release`)).status).toBe(401)
  })
})
