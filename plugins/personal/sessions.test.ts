import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { addressClass } from './address-class.ts'
import personal from './index.ts'

interface Session {
  id: string
  is_current: boolean
  user_agent: string
  address_class: string
  created_at: number
  last_used_at: number
}

describe.each(databaseKinds)('on $name', (kind) => {
  let app: PluginApp
  let ada: UserRecord

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [personal] })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ada = await app.accounts.create({ username: 'ada', by: 'admin' })
  })
  afterEach(() => app.removeAccounts())

  describe('the sessions of a user', () => {
    it('are listed to their owner, without the cookie and the whole address', async () => {
      const [here] = [await app.signedIn(ada.id), await app.signedIn(ada.id)]
      const { data } = await here.call<Session[]>('GET', '/api/user/sessions')
      expect(data).toHaveLength(2)
      expect(data.filter(({ is_current }) => is_current)).toHaveLength(1)
      expect(Object.keys(data[0] as Session).sort()).toEqual(
        'address_class created_at id is_current last_used_at user_agent'.split(' '),
      )
      expect(data[0]?.last_used_at).toBeGreaterThan(Date.now() / 1000 - 60)
    })

    it('end one by one, at once', async () => {
      const [here, there] = [await app.signedIn(ada.id), await app.signedIn(ada.id)]
      const { data } = await there.call<Session[]>('GET', '/api/user/sessions')
      const id = data.find(({ is_current }) => is_current)?.id ?? ''
      expect((await here.call('DELETE', `/api/user/sessions/${id}`)).success).toBe(true)
      expect((await there.call('GET', '/api/user/sessions')).status).toBe(401)
      expect((await here.call('GET', '/api/user/sessions')).success).toBe(true)
      const again = await here.call('DELETE', `/api/user/sessions/${id}`)
      expect(again).toMatchObject({ success: false, code: 'personal.session_gone' })
    })

    it('end all but the one that asks', async () => {
      const here = await app.signedIn(ada.id)
      const others = [await app.signedIn(ada.id), await app.signedIn(ada.id)]
      expect((await here.call('DELETE', '/api/user/sessions')).success).toBe(true)
      for (const other of others)
        expect((await other.call('GET', '/api/user/sessions')).status).toBe(401)
      expect((await here.call<Session[]>('GET', '/api/user/sessions')).data).toHaveLength(1)
    })

    it('are nobody else’s to see or to end', async () => {
      const eve = await app.accounts.create({ username: 'eve', role: 10, by: 'admin' })
      const [mine, hers] = [await app.signedIn(ada.id), await app.signedIn(eve.id)]
      const { data } = await mine.call<Session[]>('GET', '/api/user/sessions')
      const id = data[0]?.id ?? ''
      expect(await hers.call('DELETE', `/api/user/sessions/${id}`)).toMatchObject({
        code: 'personal.session_gone',
      })
      expect((await hers.call<Session[]>('GET', '/api/user/sessions')).data).toHaveLength(1)
      expect((await mine.call('GET', '/api/user/sessions')).success).toBe(true)
      expect((await app.client().call('GET', '/api/user/sessions')).status).toBe(401)
    })

    it.each(['0', 'x'.repeat(64), `${'0'.repeat(63)}%00`])('refuse the id %j', async (id) => {
      const client = await app.signedIn(ada.id)
      expect((await client.call('DELETE', `/api/user/sessions/${id}`)).success).toBe(false)
    })
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.*'],
    ['::ffff:203.0.113.9', '203.0.113.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:*'],
    ['2001:db8::9', '2001:db8:0:0:*'],
    ['::1', '0:0:0:0:*'],
    ['', ''],
  ])('of %j is %j', (address, shown) => {
    expect(addressClass(address)).toBe(shown)
  })
})
