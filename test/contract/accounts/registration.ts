// Part 1, 4.3 and 5.1: registration, sign-in, sign-out, and a forgotten password. Mail goes over a real SMTP server.
import { expect } from 'vitest'
import type { Answer } from '../../harness/api-client.ts'
import { type Mailbox, openMailbox } from '../mailbox.ts'
import { signedIn } from '../shapes.ts'
import { stagePassword, type Stage } from '../stage.ts'
import type { Room } from '../table.ts'

let mailbox: Mailbox

/** As an older console's form sends it. */
const form = (username: string, more: object = {}) => ({
  username,
  password: stagePassword,
  password2: stagePassword,
  email: '',
  verification_code: '',
  wechat_verification_code: '',
  aff_code: null,
  ...more,
})

const register = (stage: Stage, body: object): Promise<Answer> =>
  stage.callers.anonymous.call('POST', '/api/user/register?turnstile=', body)

const signIn = (stage: Stage, username: string, password = stagePassword) =>
  stage.callers.anonymous.call('POST', '/api/user/login?turnstile=', { username, password })

async function whileSet(stage: Stage, key: string, value: string, work: () => Promise<void>) {
  await stage.option(key, value)
  await work()
  await stage.option(key, value === 'true' ? 'false' : 'true')
}

export const registrationRoom: Room = {
  subject: 'registration and sign-in',
  prepare: async ({ option, account, onClose }) => {
    mailbox = await openMailbox()
    onClose(() => mailbox.close())
    const settings = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mailbox.port),
      SMTPAccount: 'gate@example.com',
      ServerAddress: 'https://gate.example',
    }
    for (const [key, value] of Object.entries(settings)) await option(key, value)
    await account('taken')
  },
  calls: [
    {
      method: 'POST',
      path: '/api/user/register',
      access: 'public',
      probe: { body: {} },
      answers: [
        { it: 'makes an account', send: { body: form('newcomer') } },
        {
          it: 'ignores an unknown invite code',
          send: { body: form('invited', { aff_code: 'none' }) },
        },
        {
          it: 'takes 13 characters and more (spec: the 12 are not proven)',
          send: { body: form('thirteen-letters') },
        },
      ],
      refuses: [
        { it: 'no user name', send: { body: form('') }, code: 'account.invalid_username' },
        { it: 'a user name with @', send: { body: form('a@b') }, code: 'account.invalid_username' },
        {
          it: 'seven characters of password',
          send: { body: form('short', { password: '1234567', password2: '1234567' }) },
          code: 'account.invalid_password',
          says: /at least 8/,
        },
        {
          it: 'two passwords that differ (spec)',
          send: { body: form('differs', { password2: 'another one' }) },
          code: 'register.passwords_differ',
        },
        {
          it: 'a name that is taken',
          send: { body: form('taken') },
          code: 'account.username_taken',
        },
      ],
    },
    {
      method: 'POST',
      path: '/api/user/login',
      access: 'public',
      probe: { body: {} },
      answers: [
        {
          it: 'answers what a console stores as its user',
          send: { body: { username: ' taken ', password: stagePassword } },
          data: signedIn,
        },
      ],
      refuses: [
        {
          it: 'an empty name',
          send: { body: { username: '', password: 'x' } },
          code: 'sign_in.incomplete',
        },
        { it: 'no password', send: { body: { username: 'taken' } }, code: 'sign_in.incomplete' },
        {
          it: 'a wrong password',
          send: { body: { username: 'taken', password: 'wrong' } },
          code: 'sign_in.refused',
        },
        {
          it: 'an unknown name in the same words',
          send: { body: { username: 'unknown', password: 'wrong' } },
          code: 'sign_in.refused',
          says: /wrong, or the account has been banned/,
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/user/logout',
      access: 'public',
      endsCaller: true,
      answers: [{ it: 'is a success for nobody, too' }],
    },
    {
      method: 'GET',
      path: '/api/verification',
      access: 'public',
      probe: { query: { email: 'nobody' } },
      answers: [
        { it: 'mails a code', send: { query: { email: 'code@example.com', turnstile: '' } } },
      ],
      refuses: [
        { it: 'no address', send: {}, code: 'account.invalid_email' },
        {
          it: 'two @',
          send: { query: { email: 'a@b@example.com' } },
          code: 'account.invalid_email',
        },
      ],
    },
    {
      method: 'GET',
      path: '/api/reset_password',
      access: 'public',
      probe: { query: { email: 'nobody' } },
      answers: [
        {
          it: 'does not tell that nobody has the address',
          send: { query: { email: 'stranger@example.com', turnstile: '' } },
        },
      ],
      refuses: [{ it: 'what is no address', send: {}, code: 'reset.email_missing' }],
    },
    {
      method: 'POST',
      path: '/api/user/reset',
      access: 'public',
      probe: { body: {} },
      refuses: [
        {
          it: 'a missing token',
          send: { body: { email: 'a@example.com' } },
          code: 'reset.incomplete',
        },
        {
          it: 'a wrong token',
          send: { body: { email: 'a@example.com', token: 'f'.repeat(32) } },
          code: 'reset.link_invalid',
          says: /invalid or has expired/,
        },
      ],
    },
  ],
  stories: [
    {
      it: 'lets in by name with the defaults of a new account, and starts no session before',
      run: async (stage) => {
        await stage.option('QuotaForNewUser', '777')
        const answer = await register(stage, form('counted'))
        expect(answer.headers.getSetCookie().filter((line) => line.startsWith('session='))).toEqual(
          [],
        )
        const entered = await signIn(stage, 'counted')
        expect(entered.data).toMatchObject({
          username: 'counted',
          display_name: 'counted',
          role: 1,
          status: 1,
          group: 'default',
        })
        const cookie = entered.headers.getSetCookie().find((line) => line.startsWith('session='))
        expect(cookie).toMatch(/Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict/)
        const { items } = await stage.callers.admin.get<{ items: unknown[] }>(
          '/api/user/search?keyword=counted',
        )
        expect(items).toMatchObject([{ quota: 777 }])
      },
    },
    {
      it: 'says first that registration is off, whatever the body is',
      run: async (stage) => {
        await whileSet(stage, 'RegisterEnabled', 'false', async () => {
          expect(await register(stage, {})).toMatchObject({ status: 200, code: 'register.off' })
        })
        await whileSet(stage, 'PasswordRegisterEnabled', 'false', async () => {
          expect(await register(stage, {})).toMatchObject({ code: 'register.password_off' })
        })
      },
    },
    {
      it: 'lets only the super admin in while sign-in by password is off',
      run: async (stage) => {
        await stage.option('WeChatServerAddress', 'https://wechat.example')
        await whileSet(stage, 'WeChatAuthEnabled', 'true', () =>
          whileSet(stage, 'PasswordLoginEnabled', 'false', async () => {
            expect(await signIn(stage, 'taken')).toMatchObject({ code: 'sign_in.password_off' })
            expect(await signIn(stage, 'taken', 'wrong')).toMatchObject({ code: 'sign_in.refused' })
          }),
        )
        await stage.option('WeChatServerAddress', '')
      },
    },
    {
      it: 'rewards both sides of an invitation',
      run: async (stage) => {
        const [gift, reward] = [30, 500_000]
        await stage.option('QuotaForNewUser', '0')
        await stage.option('QuotaForInvitee', String(gift))
        await stage.option('QuotaForInviter', String(reward))
        const inviter = await stage.account('inviter')
        const code = await inviter.get<string>('/api/user/aff')
        await register(stage, form('invitee', { aff_code: code }))
        expect(await inviter.get('/api/user/self')).toMatchObject({
          aff_count: 1,
          aff_quota: reward,
          aff_history_quota: reward,
          quota: 0,
        })
        const moved = await inviter.call('POST', '/api/user/aff_transfer', { quota: reward })
        expect(moved).toMatchObject({ success: true, message: expect.stringMatching(/\S/) })
        expect(moved.body).not.toHaveProperty('data')
        expect(await inviter.get('/api/user/self')).toMatchObject({
          aff_quota: 0,
          aff_history_quota: reward,
          quota: reward,
        })
        const { items } = await stage.callers.admin.get<{ items: unknown[] }>(
          '/api/user/search?keyword=invitee',
        )
        expect(items).toMatchObject([{ quota: gift, inviter_id: inviter.userId }])
      },
    },
    {
      it: 'demands address and code where addresses are verified, and uses a code once',
      run: async (stage) => {
        const email = 'verified@example.com'
        await whileSet(stage, 'EmailVerificationEnabled', 'true', async () => {
          expect(await register(stage, form('no-mail'))).toMatchObject({
            code: 'register.email_missing',
          })
          const wrong = form('no-mail', { email, verification_code: '000000' })
          expect(await register(stage, wrong)).toMatchObject({ code: 'register.code_wrong' })
          await stage.callers.anonymous.get(`/api/verification?email=${email}&turnstile=`)
          const verification_code = /\b\d{6}\b/.exec(await mailbox.letterTo(email))?.[0]
          const right = form('with-mail', { email, verification_code })
          expect(await register(stage, right)).toMatchObject({ success: true })
          expect(await register(stage, { ...right, username: 'again' })).toMatchObject({
            code: 'register.code_wrong',
          })
        })
        expect(await signIn(stage, email)).toMatchObject({ data: { username: 'with-mail' } })
        const again = await stage.callers.anonymous.call('GET', `/api/verification?email=${email}`)
        expect(again).toMatchObject({ success: false, code: 'mail.address_taken' })
      },
    },
    {
      it: 'holds addresses to the white list and refuses aliases, where the operator says so',
      run: async (stage) => {
        const ask = (email: string) =>
          stage.callers.anonymous.call(
            'GET',
            `/api/verification?email=${encodeURIComponent(email)}`,
          )
        await stage.option('EmailDomainWhitelist', 'gmail.com,163.com')
        await whileSet(stage, 'EmailDomainRestrictionEnabled', 'true', async () => {
          expect(await ask('a@elsewhere.example')).toMatchObject({ code: 'account.email_domain' })
          expect(await ask('a1@GMAIL.com')).toMatchObject({ success: true })
        })
        await whileSet(stage, 'EmailAliasRestrictionEnabled', 'true', async () => {
          for (const email of ['a+b@gmail.com', 'a.b@gmail.com'])
            expect(await ask(email)).toMatchObject({ code: 'account.email_alias' })
        })
      },
    },
    {
      it: 'mails a link that makes a new password once, and ends all sessions',
      run: async (stage) => {
        const email = 'verified@example.com'
        await stage.callers.anonymous.get(`/api/reset_password?email=${email}&turnstile=`)
        const letter = await mailbox.letterTo(email)
        const link = /https:\/\/gate\.example\/user\/reset\?[^\s"<]+/.exec(letter)?.[0] ?? ''
        const { searchParams } = new URL(link.replaceAll('&amp;', '&'))
        const body = Object.fromEntries(searchParams)
        expect(body['email']).toBe(email)
        const answer = await stage.callers.anonymous.call<string>('POST', '/api/user/reset', body)
        expect(answer).toMatchObject({ success: true, data: expect.stringMatching(/^\w{12,}$/) })
        expect(await signIn(stage, 'with-mail', answer.data)).toMatchObject({ success: true })
        expect(await stage.callers.anonymous.call('POST', '/api/user/reset', body)).toMatchObject({
          code: 'reset.link_invalid',
        })
      },
    },
    {
      it: 'asks for the bot check once a session, where it is on',
      run: async (stage) => {
        await stage.option('TurnstileSiteKey', 'site')
        await stage.option('TurnstileSecretKey', 'secret')
        await whileSet(stage, 'TurnstileCheckEnabled', 'true', async () => {
          for (const [method, path] of [
            ['GET', '/api/verification?email=b@example.com'],
            ['GET', '/api/reset_password?email=b@example.com'],
            ['POST', '/api/user/register'],
            ['POST', '/api/user/login'],
          ] as const) {
            const body = method === 'POST' ? {} : undefined
            expect(await stage.callers.anonymous.call(method, path, body)).toMatchObject({
              status: 200,
              success: false,
              code: 'bot_check.token_missing',
              message: expect.stringMatching(/empty/),
            })
          }
          const refused = await stage.callers.anonymous.call(
            'POST',
            '/api/user/login?turnstile=bad',
            {},
          )
          expect(refused).toMatchObject({ code: 'bot_check.refused' })
          const passed = await stage.callers.anonymous.call(
            'POST',
            '/api/user/login?turnstile=good',
            {},
          )
          expect(passed).toMatchObject({ code: 'sign_in.incomplete' })
        })
      },
    },
  ],
}
