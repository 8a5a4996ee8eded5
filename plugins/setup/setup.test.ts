import { afterEach, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import setup from './index.ts'

const body = {
  username: ' root ',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  SelfUseModeEnabled: true,
  DemoSiteEnabled: false,
}

let app: PluginApp
afterEach(() => app.close())

describe.each(databaseKinds)('the first run on $name', (kind) => {
  it('makes one super admin and stores the mode, however many ask at once', async () => {
    app = await createPluginApp({ plugins: [setup], kind })
    expect((await app.client().call('GET', '/api/setup')).data).toMatchObject({
      status: false,
      root_init: false,
      database_type: app.database.dialect,
    })
    const answers = await Promise.all(
      [1, 2, 3].map((number) =>
        app.client().call('POST', '/api/setup', { ...body, username: `root${number}` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const roots = await app.accounts.search(
      { keyword: 'root', group: '' },
      { page: 1, pageSize: 9 },
    )
    expect(roots.items).toMatchObject([
      { role: 100, status: 1, display_name: 'Root User', quota: 100_000_000, aff_code: '' },
    ])
    expect(app.options.get('SelfUseModeEnabled')).toBe(true)
    expect(await app.ledger.verify()).toMatchObject({ users: 1, faults: [] })
  })
})

describe('the first run', () => {
  it('says done afterwards, in the status too, and refuses before it looks at the body', async () => {
    app = await createPluginApp({ plugins: [setup] })
    const client = app.client()
    const done = () =>
      app.contributions.statusFields
        .list()
        .find(({ id }) => id === 'setup')
        ?.value()
    expect(done()).toBe(false)
    expect(await client.call('POST', '/api/setup', body)).toMatchObject({
      success: true,
      message: 'The system has been initialized.',
    })
    expect(done()).toBe(true)
    expect((await client.call('GET', '/api/setup')).data).toMatchObject({
      status: true,
      root_init: false,
      database_type: '',
    })
    expect(await client.call('POST', '/api/setup', { username: 5 })).toMatchObject({
      status: 200,
      code: 'setup.done',
    })
    expect(await app.accounts.findByLogin('root')).toMatchObject({ username: 'root' })
  })

  it.each([
    { change: { username: '  ' }, message: 'Please enter the admin username.' },
    { change: { confirmPassword: 'other' }, message: 'The two passwords do not match.' },
    {
      change: { password: 'short', confirmPassword: 'short' },
      message: 'The password must have at least 8 characters.',
    },
    {
      change: { username: 'a@b' },
      message: 'The user name must have 1 to 64 characters and no @.',
    },
    {
      change: { username: 'root\u200b' },
      message:
        'The user name contains a character that cannot be seen, such as a line break. Type it anew instead of pasting it.',
    },
    { change: { username: 5 }, message: 'username: must be string' },
  ])('answers 200 with "$message" and writes nothing', async ({ change, message }) => {
    app = await createPluginApp({ plugins: [setup] })
    const answer = await app.client().call('POST', '/api/setup', { ...body, ...change })
    expect(answer).toMatchObject({ status: 200, success: false, message })
    expect(await app.accounts.rootExists()).toBe(false)
    expect((await app.client().call('POST', '/api/setup', body)).success).toBe(true)
  })

  it('wants the setup token when the operator has set one', async () => {
    app = await createPluginApp({ plugins: [setup], environment: { setupToken: 'let me in' } })
    const client = app.client()
    expect((await client.call('GET', '/api/setup')).data).toMatchObject({ needs_setup_token: true })
    expect(await client.call('POST', '/api/setup', body)).toMatchObject({
      code: 'setup.token_wrong',
      values: { field: 'setup_token' },
    })
    const right = { ...body, setup_token: 'let me in' }
    expect((await client.call('POST', '/api/setup', right)).success).toBe(true)
  })
})
