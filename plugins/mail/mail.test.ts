// Against npm's smtp-server on a local port: what really goes over the wire.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'
import type { ActionAnswer } from '../../core/kernel/options/option-actions.ts'
import { createMail } from '../../core/accounts/notifications.ts'
import mail from './index.ts'
import { sendBySmtp } from './smtp.ts'

interface Received {
  from: string
  to: string[]
  raw: string
  isSecure: boolean
  method: string | undefined
  user: string | undefined
}

const letters: Received[] = []
const waiting: (() => void)[] = []
const servers: SMTPServer[] = []
const service = createMail()
let app: PluginApp
let port: number

async function startServer(options: SMTPServerOptions = {}): Promise<number> {
  const methods = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth(auth, session, done) {
      methods.set(session.id, auth.method)
      if (auth.password !== 'right') done(new Error('Username and Password not accepted'))
      else done(null, { user: auth.username })
    },
    onRcptTo(address, _session, done) {
      done(address.address.startsWith('refused') ? new Error('No such mailbox here') : null)
    },
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        letters.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          isSecure: session.secure,
          method: methods.get(session.id),
          user: session.user as string | undefined,
        })
        done()
        waiting.shift()?.()
      })
    },
    ...options,
  })
  // A client that trusts no certificate goes while TLS begins.
  server.on('error', () => undefined)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.server.address() as AddressInfo).port
}

/** The HTML of a letter, decoded. */
function bodyOf({ raw }: Received): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n'))
  return /base64/i.test(raw) ? Buffer.from(body, 'base64').toString() : body
}

async function nextLetter(work: () => Promise<unknown>): Promise<Received> {
  const arrived = new Promise<void>((resolve) => waiting.push(resolve))
  await work()
  await arrived
  return letters.at(-1) as Received
}

describe.each(databaseKinds)('mail on $name', (kind) => {
  beforeAll(async () => {
    port = await startServer()
    app = await createPluginApp({ kind, plugins: [mail], services: { mail: service } })
  })
  afterAll(async () => {
    await app.close()
    await Promise.all(servers.map((server) => new Promise<void>((done) => server.close(done))))
  })
  beforeEach(async () => {
    letters.length = 0
    await app.options.setMany({ SMTPServer: '127.0.0.1', SMTPPort: String(port) })
    await app.options.setMany({ SMTPFrom: 'noreply@gate.test', SystemName: 'Grüße <Gate>' })
    await app.options.set('ServerAddress', 'https://gate.test')
  })
  afterEach(() => app.removeAccounts())

  const settings = () => ({
    host: '127.0.0.1',
    port,
    isImplicitTls: false,
    account: 'box@gate.test',
    token: '',
    from: { name: 'Gate', address: 'noreply@gate.test' },
  })
  const letter = { to: 'ada@example.com', subject: 'Grüße 你好', html: '<p>Hello</p>' }
  const trusting = { rejectUnauthorized: false }

  it('keeps ten connections at the most to a server that says nothing, and refuses what would wait too long', async () => {
    const held = new Set<Socket>()
    let isClosing = false
    let most = 0
    const silent = createServer((socket) => {
      held.add(socket)
      most = Math.max(most, held.size)
      socket.on('close', () => held.delete(socket))
      if (isClosing) socket.destroy()
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    await app.options.set('SMTPPort', String((silent.address() as AddressInfo).port))
    const codes: string[] = []
    const mails = Array.from({ length: 115 }, () =>
      service.send(letter).catch(({ code }: { code: string }) => void codes.push(code)),
    )
    await expect.poll(() => held.size).toBe(10)
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'mail.busy'))
    isClosing = true
    for (const socket of held) socket.destroy()
    await Promise.all(mails)
    expect(most).toBeLessThanOrEqual(10)
    expect(codes.filter((code) => code === 'mail.failed')).toHaveLength(110)
    await new Promise<void>((done) => silent.close(() => done()))
  })

  describe('a mail by SMTP', () => {
    it('names the sender, codes the subject and reaches each of several receivers', async () => {
      await sendBySmtp(settings(), { ...letter, to: 'ada@example.com; bob@example.com' })
      expect(letters[0]).toMatchObject({
        from: 'noreply@gate.test',
        to: ['ada@example.com', 'bob@example.com'],
        isSecure: false,
        method: undefined,
      })
      expect(letters[0]?.raw).toMatch(/^From: Gate <noreply@gate.test>/m)
      expect(letters[0]?.raw).toMatch(/^Subject: =\?UTF-8\?B\?/m)
      expect(letters[0]?.raw).toMatch(/^Message-ID: <[^>]+@gate.test>/m)
    })

    it.each([
      { account: 'box@gate.test', method: 'PLAIN' },
      { account: 'box@outlook.com', method: 'LOGIN' },
      { account: 'box@corp.onmicrosoft.com', method: 'LOGIN' },
    ])('signs in as $account by $method', async ({ account, method }) => {
      await sendBySmtp({ ...settings(), account, token: 'right' }, letter)
      expect(letters[0]).toMatchObject({ method, user: account })
    })

    it('rejects with what the server said', async () => {
      const wrong = sendBySmtp({ ...settings(), token: 'wrong' }, letter)
      await expect(wrong).rejects.toThrow('Username and Password not accepted')
    })

    it('speaks TLS from the first byte, and with a certificate that can be trusted only', async () => {
      const secure = {
        ...settings(),
        port: await startServer({ secure: true }),
        isImplicitTls: true,
      }
      await expect(sendBySmtp(secure, letter)).rejects.toThrow(/certificate/i)
      expect(letters).toEqual([])
      await sendBySmtp(secure, letter, trusting)
      expect(letters[0]?.isSecure).toBe(true)
    })

    it('turns to TLS where the server offers it', async () => {
      const offering = { ...settings(), port: await startServer({ disabledCommands: [] }) }
      await sendBySmtp({ ...offering, token: 'right' }, letter, trusting)
      expect(letters[0]).toMatchObject({ isSecure: true, method: 'PLAIN' })
    })

    it('keeps the password when another machine offers no TLS', async () => {
      // Any name but this machine's own: this one leads back here.
      const elsewhere = { ...settings(), host: '0.0.0.0', token: 'right' }
      await expect(sendBySmtp(elsewhere, letter)).rejects.toThrow(/STARTTLS/i)
      expect(letters).toEqual([])
    })

    it('makes no header of what stands in an address or a subject', async () => {
      const subject = 'Hi\r\nBcc: eve@example.com'
      await sendBySmtp(settings(), { ...letter, subject, to: 'ada@example.com' })
      expect(letters[0]?.to).toEqual(['ada@example.com'])
      expect(letters[0]?.raw).not.toMatch(/^Bcc:/m)
    })
  })

  describe('a verification code', () => {
    const ask = (email: string) =>
      app.client().call('GET', `/api/verification?${new URLSearchParams({ email }).toString()}`)
    const askFrom = async (remoteAddress: string, email: string) => {
      const url = `/api/verification?${new URLSearchParams({ email }).toString()}`
      const answer = await app.app.inject({ url, remoteAddress })
      return answer.json<{ success: boolean; code?: string; message: string }>()
    }
    const codeIn = (letter: Received | undefined) =>
      letter ? (/>(\d{6})</.exec(bodyOf(letter))?.[1] ?? '') : ''

    it('arrives in the frame of the site and opens once', async () => {
      expect(await ask(' Ada@Example.com ')).toMatchObject({ success: true })
      expect(letters[0]?.to).toEqual(['ada@example.com'])
      const html = bodyOf(letters[0] as Received)
      expect(html).toContain('Grüße &lt;Gate&gt;')
      const code = />(\d{6})</.exec(html)?.[1] ?? ''
      expect(await app.accounts.codes.consume('v', 'ada@example.com', code)).toBe(true)
      expect(await app.accounts.codes.consume('v', 'ada@example.com', code)).toBe(false)
    })

    it('is not sent twice within thirty seconds', async () => {
      await ask('twice@example.com')
      expect(await ask('twice@example.com')).toMatchObject({
        success: false,
        code: 'mail.too_soon',
      })
      expect(letters).toHaveLength(1)
    })

    it('is another one after a mail that did not go out', async () => {
      const email = 'later@example.com'
      await app.options.set('SMTPPort', '1')
      for (let stranger = 0; stranger < 12; stranger += 1)
        expect(await askFrom(`192.0.2.${stranger}`, email)).toMatchObject({ code: 'mail.failed' })
      await app.options.set('SMTPPort', String(port))
      expect(await askFrom('198.51.100.1', email)).toMatchObject({ success: true })
      expect(await app.accounts.codes.consume('v', email, codeIn(letters.at(-1)))).toBe(true)
    })

    it('is the same for all who ask while it opens, and after enough mails the newest counts', async () => {
      const email = 'shared@example.com'
      const codes = new Set<string>()
      for (let stranger = 0; stranger < 9; stranger += 1) {
        expect(await askFrom(`192.0.2.${stranger}`, email)).toMatchObject({ success: true })
        codes.add(codeIn(letters.at(-1)))
      }
      expect(codes.size).toBe(1)
      // The owner: the eight repeats are used up, and no stranger's pause is his.
      const answer = await askFrom('198.51.100.1', email)
      expect(answer).toMatchObject({ code: 'mail.code_stands' })
      expect(answer.message).toContain('newest')
      expect(letters).toHaveLength(9)
      const [code = ''] = codes
      expect(await app.accounts.codes.consume('v', email, code)).toBe(true)
    })

    it('is followed by another in the mail at once when guesses have used it up', async () => {
      const email = 'guessed@example.com'
      for (let stranger = 0; stranger < 10; stranger += 1)
        await askFrom(`192.0.2.${stranger}`, email)
      const before = codeIn(letters.at(-1))
      for (let tries = 0; tries < 100; tries += 1)
        await app.accounts.codes.consume('v', email, 'wrong')
      expect(await app.accounts.codes.consume('v', email, before)).toBe(false)
      expect(await askFrom('198.51.100.1', email)).toMatchObject({ success: true })
      const code = codeIn(letters.at(-1))
      expect(await app.accounts.codes.consume('v', email, code)).toBe(true)
    })

    describe('of an address that strangers ask for all day', () => {
      beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
      afterEach(() => void vi.useRealTimers())

      async function askAgain(address: string, email: string) {
        const answer = await askFrom(address, email)
        if (answer.success) await app.accounts.codes.consume('v', email, codeIn(letters.at(-1)))
        vi.advanceTimersByTime(30_001)
        return answer.code ?? 'sent'
      }

      it('is mailed twenty times for one network, which keeps no other from it', async () => {
        const email = 'flooded@example.com'
        for (let times = 0; times < 20; times += 1)
          expect(await askAgain('192.0.2.1', email)).toBe('sent')
        expect(await askAgain('192.0.2.1', email)).toBe('mail.enough_today')
        expect(await askAgain('192.0.2.2', email)).toBe('sent')
        vi.advanceTimersByTime(86_400_000)
        expect(await askAgain('192.0.2.1', email)).toBe('sent')
      })

      it('is mailed sixty times for all networks together', async () => {
        const email = 'sought@example.com'
        for (let network = 0; network < 60; network += 1)
          expect(await askAgain(`192.0.2.${network}`, email)).toBe('sent')
        expect(await askAgain('198.51.100.1', email)).toBe('mail.enough_today')
        expect(letters).toHaveLength(60)
      })
    })

    it('is one for all who ask at once, and one network has to wait between two', async () => {
      const email = 'busy@example.com'
      const at = (host: number) => `2001:db8:0:1::${host}`
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, host) => askFrom(at(host), email)),
      )
      expect(answers.filter(({ success }) => success)).toHaveLength(1)
      const many = Array.from({ length: 20 }, (_, host) =>
        askFrom(`203.0.113.${host}`, 'many@example.com'),
      )
      await Promise.all(many)
      const codes = letters.filter(({ to }) => to.includes('many@example.com')).map(codeIn)
      expect(codes).toHaveLength(9)
      expect(new Set(codes).size).toBe(1)
    })

    it.each([
      '',
      'nobody',
      'a@b',
      'a@b.test@c.test',
      'a b@c.test',
      'a@c.test\0',
      'a@c.test\r\nBcc: x@y.z',
    ])('is not sent to %j', async (email) => {
      expect(await ask(email)).toMatchObject({ success: false })
      expect(letters).toEqual([])
    })

    it('is not sent to the address of an account, a deregistered one included', async () => {
      const { id } = await app.accounts.create({
        username: 'gone',
        email: 'gone@example.com',
        by: 'admin',
      })
      await app.accounts.softDelete(id)
      expect(await ask('gone@example.com')).toMatchObject({ code: 'mail.address_taken' })
    })

    it('says what the mail server said, and nothing of the network inside', async () => {
      const refused = await ask('refused@example.com')
      expect(refused).toMatchObject({ code: 'mail.failed' })
      expect(refused.message).toContain('No such mailbox here')
      await app.options.set('SMTPPort', '1')
      const unreachable = await ask('other@example.com')
      expect(unreachable.code).toBe('mail.failed')
      expect(unreachable.message).not.toContain('127.0.0.1')
    })

    it('needs a server that is set up', async () => {
      await app.options.setMany({ SMTPServer: '' })
      expect(await ask('unset@example.com')).toMatchObject({ code: 'mail.incomplete' })
    })
  })

  describe('a notice by e-mail', () => {
    it('has its values filled in, in their order and as text', async () => {
      const notifier = app.contributions.notifiers.list().find(({ id }) => id === 'email')
      await nextLetter(() =>
        (notifier as NonNullable<typeof notifier>).send({
          to: { userId: 1, email: 'ada@example.com' },
          language: 'en',
          kind: 'quota_exceed',
          title: 'Low',
          content: '{{value}}: <b>{{value}}</b>',
          values: ['A $& <i>', '$1'],
        }),
      )
      expect(bodyOf(letters[0] as Received)).toContain('A $&amp; &lt;i&gt;: <b>$1</b>')
    })
  })

  describe('the settings of mail', () => {
    const admin = async () => {
      const { id } = await app.accounts.create({ username: 'boss', role: 10, by: 'setup' })
      return app.signedIn(id)
    }
    const test = async (input?: string, values: Record<string, string> = {}) => {
      const body = { id: 'mail-test', values, ...(input ? { input } : {}) }
      const answer = await (await admin()).call<ActionAnswer>('POST', '/api/option/action', body)
      await app.removeAccounts()
      return answer.data
    }

    it('are proved by a mail whose answer is shown', async () => {
      const sent = await test('ada@example.com')
      expect(sent).toMatchObject({ ok: true, message: expect.stringMatching(/answered: 250 /) })
      const refused = await test('refused@example.com')
      expect(refused).toMatchObject({ ok: false })
      expect(refused.message).toContain('550 No such mailbox here')
      expect((await test()).message).toContain('Enter the address')
    })

    it('are proved as they are typed, before they are saved', async () => {
      const typed = { SMTPFrom: 'typed@gate.test' }
      expect(await test('ada@example.com', typed)).toMatchObject({ ok: true })
      expect(letters.at(-1)?.from).toBe('typed@gate.test')
      expect(app.options.get('SMTPFrom')).toBe('noreply@gate.test')
      const wrong = await test('ada@example.com', { SMTPToken: 'wrong' })
      expect(wrong).toMatchObject({ ok: false })
      expect(wrong.message).toContain('not accepted')
    })

    it.each([
      ['SMTPServer', 'https://smtp.test/x'],
      ['SMTPServer', 'smtp.test\nx'],
      ['SMTPFrom', 'no address'],
      ['SMTPFrom', 'a@b.test, c@d.test'],
      ['SMTPPort', '0'],
      ['SMTPPort', '70000'],
    ])('refuse %s %j', async (key, value) => {
      await expect(app.options.set(key, value)).rejects.toThrow()
    })

    it('send the password to another server or port only when it is entered anew', async () => {
      await app.options.set('SMTPToken', 'right')
      await expect(app.options.set('SMTPServer', 'evil.test')).rejects.toMatchObject({
        code: 'options.secret_needed',
      })
      await expect(app.options.set('SMTPPort', '2525')).rejects.toMatchObject({
        code: 'options.secret_needed',
      })
      await app.options.setMany({ SMTPServer: '127.0.0.2', SMTPToken: '' })
    })
  })
})
