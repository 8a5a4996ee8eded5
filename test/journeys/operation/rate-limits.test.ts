// The strict limit by address: every route by which somebody could guess, flood a mailbox or make orders has it, and only routes that need none lack it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '#test'
import { listRoutes } from '../../../core/cli/routes.ts'
import { commandWithin } from '../../harness/gateway-process.ts'

const limited = [
  'POST /api/user/login',
  'POST /api/user/login/2fa',
  'POST /api/user/login/passkey',
  'POST /api/user/passkey/login/finish',
  'POST /api/user/register',
  'POST /api/user/reset',
  'GET /api/verification',
  'GET /api/reset_password',
  'POST /api/option/action',
  'GET /api/oauth/state',
  'GET /api/oauth/github',
  'GET /api/oauth/linuxdo',
  'GET /api/oauth/oidc',
  'GET /api/oauth/telegram',
  'GET /api/oauth/telegram/bind',
  'GET /api/oauth/telegram/login',
  'GET /api/oauth/wechat',
  'GET /api/oauth/wechat/bind',
  'GET /api/oauth/wechat/login',
  'GET /api/oauth/email/bind',
  'POST /api/setup',
  'POST /api/user/unbind',
  'POST /api/user/pay',
  'POST /api/user/epay/pay',
  'POST /api/user/stripe/pay',
  'POST /api/user/topup',
]

/** For everybody, under the limit of the whole API alone: they show, ask for a passkey, end something of the caller's own, or tell what is signed; and
 *  what is asked by a key of the relay, with a limit of its own (plugins/tokens, plugins/logs). */
const open = [
  'GET /api/about',
  'GET /api/home_page_content',
  'GET /api/log/token',
  'GET /api/mark/',
  'GET /api/notice',
  'GET /api/plugin/console',
  'GET /api/pricing',
  'GET /api/pricing/tools',
  'GET /api/setup',
  'GET /api/status',
  'GET /api/stripe/webhook',
  'POST /api/stripe/webhook',
  'GET /api/user/epay/notify',
  'POST /api/user/epay/notify',
  'GET /api/usage/token',
  'POST /api/user/passkey/login/begin',
  'GET /api/user/groups',
  'GET /api/user/logout',
]

describe('the strict limit by address', () => {
  let app: App

  beforeAll(async () => {
    const env = { CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '3' }
    app = await startApp({ env, isWithin: true })
    // Setting up and signing in were two.
    const body = { username: 'root', password: 'wrong password' }
    for (let time = 0; time < 2; time += 1) await app.root.call('POST', '/api/user/login', body)
  })
  afterAll(() => app.close())

  it.each(limited)('%s is refused when it is used up', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await app.root.call(method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status: 429, code: 'rate.exceeded' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is missing from no other route that anybody may call', async () => {
    const { code, output } = await commandWithin(app.env, listRoutes)
    expect(code).toBe(0)
    const forAnybody = output
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([, path = '', access = '']) => path.startsWith('/api/') && isOpen(access))
      .map(([method, path]) => `${method} ${path}`)
      .filter((route) => !/^(?:HEAD|OPTIONS) /.test(route))
    expect(forAnybody).toContain('POST /api/user/login')
    const known = new Set([...limited, ...open])
    expect(forAnybody.filter((route) => !known.has(route))).toEqual([])
  })
})

function isOpen(access: string): boolean {
  return ['public', 'session', 'try-user'].includes(access)
}
