import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { createUsageLog } from '../../core/logs/usage-log.ts'
import { csvLine } from './csv.ts'
import logsPlugin from './index.ts'

describe('a field of an exported line', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ["key;=cmd|'/C calc'!A0; -1;b", "key;'=cmd|'/C calc'!A0;' -1;b"],
    ['+cmd', "'+cmd"],
    ['-2', "'-2"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])('writes %j harmlessly', (text, written) => {
    expect(csvLine([text])).toBe(`${written}\r\n`)
  })

  it('leaves numbers alone, negative ones too', () => {
    expect(csvLine([-5, 0.5, true])).toBe('-5,0.5,true\r\n')
  })
})

describe('the exported log', () => {
  let app: PluginApp
  let admin: InjectClient
  let user: InjectClient

  beforeAll(async () => {
    app = await createPluginApp({
      plugins: [logsPlugin],
      services: async ({ database }) => ({ usageLog: createUsageLog({ database }) }),
    })
    const ids = new Map<string, number>()
    for (const username of ['ada', 'bob', 'boss']) {
      const made = await app.accounts.create({ username, password: 'correct horse', by: 'admin' })
      ids.set(username, made.id)
    }
    const own = ids.get('ada') ?? 0
    const boss = ids.get('boss') ?? 0
    const rows = Array.from({ length: 2_345 }, (_, index) => {
      const owner = index % 3 === 0 ? ids.get('bob') : own
      return `(${index + 1}, ${owner}, 2, ${1_700_000_000 + index})`
    })
    // Each account has a row for its welcome gift.
    await app.ledger.flush()
    await app.database.run('DELETE FROM logs')
    await app.database.run(
      `INSERT INTO logs (id, user_id, type, created_at) VALUES ${rows.join(', ')}`,
    )
    await app.database.run(`UPDATE logs SET model_name = '=evil()', quota = 250000,
      channel_id = 3, content = 'vendor.example.com', username = 'ada',
      other = '{"admin_info":{"use_channel":["3"]}}'`)
    await app.database.run(`UPDATE logs SET type = 5 WHERE id = 2345`)
    await app.database.run(`UPDATE users SET role = 10 WHERE id = ${boss}`)
    admin = await app.signedIn(boss)
    user = await app.signedIn(own)
  })
  afterAll(() => app.close())

  const lines = (text: string) => text.split('\r\n').filter(Boolean)

  it('holds every row of the filter once, slice by slice', async () => {
    const { text, headers } = await admin.raw('GET', '/api/log/export?type=2')
    expect(headers['content-type']).toContain('text/csv')
    expect(text.startsWith('\uFEFFtime,type,model')).toBe(true)
    expect(new Set(lines(text).map((line) => line.split(',')[0])).size).toBe(1 + 2_344)
    expect(lines(text)).toHaveLength(1 + 2_344)
    expect(text).toContain("'=evil()")
    expect(text).toContain(',250000,0.5,')
  })

  it('gives a time span too, newest first', async () => {
    const { text } = await admin.raw('GET', '/api/log/export?start_timestamp=1700000100')
    expect(lines(text)).toHaveLength(1 + 2_245)
    expect(lines(text)[1]).toContain('2023-11-14T22:52:24.000Z')
  })

  it('holds own rows alone for a user, without channels and words of providers', async () => {
    const { text } = await user.raw('GET', '/api/log/self/export/?username=bob&channel=3')
    expect(lines(text)).toHaveLength(1 + 1_563)
    expect(lines(text)[0]).not.toContain('channel')
    expect(lines(text).at(-1)).toContain('=evil')
    const error = await user.raw('GET', '/api/log/self/export/?type=5')
    expect(error.text).not.toContain('vendor')
  })

  it('charges nothing for channel tests', async () => {
    await app.database.run(`UPDATE logs SET token_name = 'channel test' WHERE id = 2343`)
    const { text } = await admin.raw('GET', '/api/log/export?token_name=channel%20test')
    expect(lines(text)[1]).toContain(',channel test,')
    expect(lines(text)[1]).toContain(',0,0,')
  })

  it('takes off what failed tasks gave back', async () => {
    await app.database.run(`UPDATE logs SET type = 4, quota = 0, token_name = 'film',
      other = '{"op":"task_refund","task_id":"t","amount":100000}' WHERE id = 2342`)
    for (const path of ['/api/log/export', '/api/log/self/export'] as const) {
      const { text } = await (path.includes('self') ? user : admin).raw('GET', `${path}?type=4`)
      expect(lines(text)[1]).toContain(',film,,0,0,-100000,-0.2,')
    }
  })

  it('is refused to users who ask for all', async () => {
    const { text } = await user.raw('GET', '/api/log/export')
    expect(JSON.parse(text)).toMatchObject({ success: false })
  })

  it('is refused to nobody', async () => {
    expect((await app.client().raw('GET', '/api/log/self/export')).status).toBe(401)
  })

  it('is refused after six in a minute', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) {
      statuses.push((await user.raw('GET', '/api/log/self/export?type=1')).status)
    }
    expect(statuses.at(-1)).toBe(429)
  })
})
