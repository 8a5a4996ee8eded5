// Through real sign-ins: the browser is known by its cookie, and the notice is the one that the owner's notifier
// would deliver.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../core/data/models/user.ts'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import authPassword from '../auth-password/index.ts'
import signInAlerts from './index.ts'

const password = 'correct horse'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe.each(databaseKinds)('a sign-in on a new device on $name', (kind) => {
  let app: PluginApp
  let adaId: number
  let notices: { userId: number; kind: string; values: unknown[] }[]

  beforeAll(async () => {
    app = await createPluginApp({
      kind,
      plugins: [authPassword, signInAlerts],
      services: {
        notifications: {
          notify: (userId, { kind: name, values }) =>
            Promise.resolve(void notices.push({ userId, kind: name, values })),
          notifyAdmins: () => Promise.resolve(),
          ways: () => [],
        },
      },
    })
    await app.options.set('ServerAddress', 'https://gate.test')
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    notices = []
    await app.options.set('NewDeviceNoticeEnabled', 'true')
    adaId = (await app.accounts.create({ username: 'ada', password, by: 'admin' })).id
  })
  afterEach(() => app.removeAccounts())

  /** The account is a day old. */
  const age = () =>
    users(app.database).update(
      { created_at: Math.floor(Date.now() / 1000) - 86_400 },
      { where: { id: adaId } },
    )

  async function signIn({ cookie = '', secret = password, userAgent = firefox } = {}) {
    const response = await app.app.inject({
      method: 'POST',
      url: '/api/user/login',
      remoteAddress: '203.0.113.7',
      headers: { 'user-agent': userAgent, ...(cookie === '' ? {} : { cookie }) },
      payload: { username: 'ada', password: secret },
    })
    const cookies = [response.headers['set-cookie'] ?? []].flat()
    return cookies.find((line) => line.startsWith('device='))?.split(';', 1)[0] ?? ''
  }

  it('is told to the owner, and a further one in that browser is not', async () => {
    await age()
    const cookie = await signIn()
    await expect.poll(() => notices).toHaveLength(1)
    expect(notices[0]).toEqual({
      userId: adaId,
      kind: 'new_device',
      values: [
        'ada',
        'Firefox · Linux',
        '203.0.113.7',
        expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
        'https://gate.test/personal',
        'https://gate.test/personal',
      ],
    })
    await signIn({ cookie })
    await signIn({ secret: 'wrong password' })
    await signIn({ userAgent: 'Win a prize at http://evil.test' })
    await expect.poll(() => notices).toHaveLength(2)
    expect(notices[1]?.values[1]).toEqual({ en: 'an unknown program', zh: '未知程序' })
  })

  it('is not told of an account that was just made, nor where that is switched off', async () => {
    await signIn()
    await age()
    await app.options.set('NewDeviceNoticeEnabled', 'false')
    await signIn()
    await app.options.set('NewDeviceNoticeEnabled', 'true')
    await signIn()
    await expect.poll(() => notices).toHaveLength(1)
  })

  it('is told after all browsers were forgotten', async () => {
    await age()
    const cookie = await signIn()
    await app.accounts.endSessions(adaId)
    await signIn({ cookie })
    await expect.poll(() => notices).toHaveLength(2)
  })
})
