// Who forgot the password, and who pretends to. The mail plugin is the real one; its letters end in a counterpart on a local port.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SMTPServer } from 'smtp-server'
import type { UserRecord } from '#core'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import { createMail } from '../../core/accounts/notifications.ts'
import mail from './index.ts'

const password = 'correct horse'
let app: PluginApp
let server: SMTPServer
let ada: UserRecord
let round = 0
let onLetter: ((html: string) => void) | undefined
let letters: number

describe.each(databaseKinds)('reset by mail on $name', (kind) => {
  beforeAll(async () => {
    server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData(stream, _session, done) {
        void text(stream).then((raw) => {
          letters += 1
          done()
          onLetter?.(Buffer.from(raw.slice(raw.indexOf('\r\n\r\n')), 'base64').toString())
        })
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    app = await createPluginApp({ kind, plugins: [mail], services: { mail: createMail() } })
  })
  afterAll(async () => {
    await app.close()
    await new Promise<void>((done) => server.close(done))
  })
  beforeEach(async () => {
    letters = 0
    round += 1
    const { port } = server.server.address() as AddressInfo
    await app.options.setMany({ SMTPServer: '127.0.0.1', SMTPPort: String(port) })
    await app.options.setMany({ SMTPFrom: 'noreply@gate.test', ServerAddress: 'https://gate.test' })
    const email = `ada+${round}@example.com`
    ada = await app.accounts.create({ username: 'ada', password, email, by: 'admin' })
  })
  afterEach(() => app.removeAccounts())

  const ask = (email: string, headers: Record<string, string> = {}) =>
    app.app.inject({
      url: `/api/reset_password?${new URLSearchParams({ email }).toString()}`,
      headers: { host: 'evil.test', ...headers },
    })
  const reset = (body: object) => app.client().call<string>('POST', '/api/user/reset', body)

  /** The link of the mail. */
  async function linkFor(email: string): Promise<URL> {
    const html = new Promise<string>((resolve) => {
      onLetter = resolve
    })
    expect((await ask(email)).json()).toMatchObject({ success: true })
    const href = /href="([^"]*user\/reset[^"]*)"/.exec(await html)?.[1] ?? ''
    return new URL(href.replaceAll('&amp;', '&'))
  }
  const partsOf = (link: URL) => Object.fromEntries(link.searchParams)

  describe('a forgotten password', () => {
    it.each([
      { who: 'root', role: 100, says: 'tollgate account reset root' },
      { who: 'boss', role: 10, says: 'ask the super admin' },
    ])('of $who is not opened by a mail that admins may have sent elsewhere', async (asked) => {
      const email = `${asked.who}@example.com`
      await app.accounts.create({ username: asked.who, email, role: asked.role, by: 'setup' })
      const html = new Promise<string>((resolve) => {
        onLetter = resolve
      })
      const nobody = (await ask(`no-${email}`)).json()
      expect((await ask(email)).json()).toEqual(nobody)
      const text = await html
      expect(text).toContain(asked.says)
      expect(text).not.toContain('/user/reset')
    })

    it('is replaced through the link in the mail, which leads to this site', async () => {
      const link = await linkFor(ada.email)
      expect(link.origin + link.pathname).toBe('https://gate.test/user/reset')
      expect(link.searchParams.get('email')).toBe(ada.email)
      const session = await app.signedIn(ada.id)
      const token = await app.accounts.newAccessToken(ada.id)
      const answer = await reset(partsOf(link))
      expect(answer.data).toMatch(/^[0-9A-Za-z]{16}$/)
      expect(await app.accounts.find(ada.id)).toMatchObject({ password_made: true })
      expect(await app.accounts.checkPassword(ada.id, answer.data)).toBe(true)
      expect(await app.accounts.checkPassword(ada.id, password)).toBe(false)
      // The sessions from before have ended.
      expect(await session.call('POST', '/api/option/action', { id: 'mail-test' })).toMatchObject({
        status: 401,
      })
      const script = app.client().useToken(ada.id, token)
      expect(await script.call('POST', '/api/option/action', { id: 'mail-test' })).toMatchObject({
        status: 401,
      })
    })

    it('is replaced once by a link', async () => {
      const parts = partsOf(await linkFor(ada.email))
      const answers = await Promise.all([reset(parts), reset(parts), reset(parts)])
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      expect(await reset(parts)).toMatchObject({ code: 'reset.link_invalid' })
    })

    it('stays when the link was changed, and wrong tries leave the right link valid', async () => {
      const parts = partsOf(await linkFor(ada.email))
      const token = parts['token'] ?? ''
      const forged = [
        { ...parts, token: `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}` },
        { ...parts, token: 'x'.repeat(48) },
        { ...parts, token: '你'.repeat(48) },
        { ...parts, email: 'root@example.com' },
      ]
      for (const body of [...forged, ...forged])
        expect(await reset(body)).toMatchObject({ success: false, code: 'reset.link_invalid' })
      expect((await reset(parts)).success).toBe(true)
    })

    it.each([{}, { email: 'a@b.test' }, { token: 'x' }, { email: null, token: null }])(
      'stays with the incomplete link %j',
      async (body) => {
        expect(await reset(body)).toMatchObject({ code: 'reset.incomplete' })
      },
    )

    it('stays while the account is banned', async () => {
      const parts = partsOf(await linkFor(ada.email))
      await app.accounts.update(ada.id, { status: 2 })
      expect(await reset(parts)).toMatchObject({ code: 'reset.link_invalid' })
    })
  })

  describe('asking for a link', () => {
    it('is answered alike for every address, and mailed to those of live accounts only', async () => {
      const gone = await app.accounts.create({
        username: 'gone',
        email: `gone${round}@example.com`,
        by: 'admin',
      })
      await app.accounts.softDelete(gone.id)
      const unknown = await ask(`nobody${round}@example.com`)
      const left = await ask(gone.email)
      await linkFor(ada.email)
      const known = await ask(ada.email)
      expect(left.body).toBe(unknown.body)
      expect(unknown.json()).toEqual({ success: true, message: '' })
      expect(letters).toBe(1)
      // The pause, too, is the same for all.
      const again = await ask(`nobody${round}@example.com`)
      expect(again.json<{ code: string }>().code).toBe('mail.too_soon')
      expect(known.json<{ code: string }>().code).toBe('mail.too_soon')
    })

    it('cannot be used up by strangers, and does not tell them whose address it is', async () => {
      const askFrom = async (remoteAddress: string, email: string) => {
        const url = `/api/reset_password?${new URLSearchParams({ email }).toString()}`
        return (await app.app.inject({ url, remoteAddress })).json<{ code?: string }>().code
      }
      const first = partsOf(await linkFor(ada.email))
      const links = new Set<string>()
      onLetter = (html) => links.add(/token=([0-9A-Za-z_-]+)/.exec(html)?.[1] ?? '')
      const answersFor = async (email: string) => {
        const codes: unknown[] = []
        for (let stranger = 0; stranger < 10; stranger += 1)
          codes.push(await askFrom(`192.0.2.${stranger}`, email))
        return codes
      }
      const known = await answersFor(ada.email)
      await askFrom('198.51.100.9', `nobody${round}@example.com`)
      expect(await answersFor(`nobody${round}@example.com`)).toEqual(known)
      expect(new Set(known)).toEqual(new Set([undefined]))
      await expect.poll(() => letters).toBe(9)
      expect(links).toEqual(new Set([first['token']]))
      // The link of the first mail is still valid.
      expect((await reset(first)).success).toBe(true)
    })

    it.each(['', 'nobody', 'a@b@c.test', 'a@b.test,c@d.test'])('refuses %j', async (email) => {
      expect((await ask(email)).json()).toMatchObject({ code: 'reset.email_missing' })
    })

    it('says so, to everybody alike, where no mail is set up', async () => {
      await app.options.set('SMTPServer', '')
      for (const email of [ada.email, 'nobody@example.com'])
        expect((await ask(email)).json()).toMatchObject({ code: 'reset.no_mail' })
    })
  })
})
