import { callerOf, envelope, errorType, type PluginServices, role, type RouteApp } from '#core'
import { transferEarnings } from './earnings.ts'
import { ownRecord, updateSelf } from './own-account.ts'
import { selfBody, settingBody, tokenQuery, transferBody } from './schema.ts'
import { saveOwnSetting } from './own-setting.ts'

const superStays = errorType('personal.super_stays', 403, {
  en: 'The super admin account cannot be deleted.',
  zh: '超级管理员账户无法删除。',
})

const tokenEndPast = errorType('personal.token_end_past', 400, {
  en: 'expired_time must lie in the future, in Unix seconds; -1 is never.',
  zh: 'expired_time 必须是未来的 Unix 秒时间戳，-1 表示永不过期。',
})

const settingSaved = { en: 'The settings have been saved.', zh: '设置已更新。' }
const earningsMoved = { en: 'The amount has been added to your balance.', zh: '划转成功。' }

const config = { access: 'user' } as const

export function accountRoutes(app: RouteApp, services: PluginServices): void {
  const { accounts } = services
  selfRoutes(app, services)
  const out = { summary: 'Sign out: end the session of the cookie' }
  app.get(
    '/api/user/logout',
    { config: { access: 'public' }, schema: out },
    async (request, reply) => {
      await request.session.signOut(reply)
      return envelope()
    },
  )
  app.get(
    '/api/user/token',
    {
      // Requires a proof, because the token outlives the session; and a token that expires must not create one that does not.
      config: { ...config, needsProof: true, demo: 'closed' },
      compress: false,
      schema: {
        summary: "Create one's access token for this API; it replaces the previous one",
        querystring: tokenQuery,
      },
    },
    async (request) => {
      const endsAt = endOf(request.query.expired_time)
      const caller = callerOf(request)
      return envelope(await accounts.newAccessToken(caller.id, endsAt, caller))
    },
  )
  const code = { summary: "Show one's invite code, which is made on the first call" }
  app.get('/api/user/aff', { config, schema: code }, async (request) =>
    envelope(await accounts.affCode(callerOf(request).id)),
  )
  app.post(
    '/api/user/aff_transfer',
    { config, schema: { summary: 'Move invite earnings into the balance', body: transferBody } },
    async (request) => {
      await transferEarnings(services, callerOf(request), Number(request.body.quota))
      return envelope(undefined, { message: earningsMoved[request.language] })
    },
  )
  const saved = {
    summary: "Change one's settings of notifications and models; missing fields stay",
    body: settingBody,
  }
  app.put('/api/user/setting', { config, schema: saved }, async (request) => {
    await saveOwnSetting(services, callerOf(request).id, request.body)
    return envelope(undefined, { message: settingSaved[request.language] })
  })
  const ways = { summary: 'List the ways of notification that users can choose from' }
  app.get('/api/user/notifiers', { config, schema: ways }, (request) =>
    envelope(
      services.notifications.ways().map(({ id, name }) => ({ id, name: name[request.language] })),
    ),
  )
}

/** -1 means never, as with API keys. @throws personal.token_end_past */
function endOf(expiredTime: number | undefined): number | undefined {
  if (expiredTime === undefined || expiredTime === -1) return undefined
  if (expiredTime * 1000 <= Date.now()) throw tokenEndPast({}, { field: 'expired_time' })
  return expiredTime
}

function selfRoutes(app: RouteApp, services: PluginServices): void {
  const { accounts } = services
  // Includes the webhook secret.
  const before = { ...config, beforeFactor: true }
  const own = { summary: "Show one's own account, with balance, group and settings" }
  app.get('/api/user/self', { config: before, compress: false, schema: own }, async (request) =>
    envelope(await ownRecord(accounts, callerOf(request).id)),
  )
  const edited = {
    summary: "Change one's name, password or language; empty fields stay",
    body: selfBody,
  }
  app.put('/api/user/self', { config, schema: edited }, async (request) => {
    const keepSessionId = request.session.id ?? undefined
    await updateSelf(services, callerOf(request), request.body, {
      keepSessionId,
      address: request.clientAddress,
      requireProof: () => services.signIn.requireProof(request),
    })
    return envelope()
  })
  app.delete(
    '/api/user/self',
    {
      config: { ...config, needsProof: true },
      schema: { summary: "Deregister one's own account, and end its sessions" },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (caller.role >= role.root) throw superStays()
      await accounts.softDelete(caller.id, caller)
      await request.session.signOut(reply)
      return envelope()
    },
  )
}
