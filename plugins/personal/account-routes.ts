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
  app.get('/api/user/logout', { config: { access: 'public' } }, async (request, reply) => {
    await request.session.signOut(reply)
    return envelope()
  })
  app.get(
    '/api/user/token',
    {
      // Requires a proof, because the token outlives the session; and a token that expires must not create one that does not.
      config: { ...config, needsProof: true, demo: 'closed' },
      compress: false,
      schema: { querystring: tokenQuery },
    },
    async (request) => {
      const endsAt = endOf(request.query.expired_time)
      const caller = callerOf(request)
      return envelope(await accounts.newAccessToken(caller.id, endsAt, caller))
    },
  )
  app.get('/api/user/aff', { config }, async (request) =>
    envelope(await accounts.affCode(callerOf(request).id)),
  )
  app.post(
    '/api/user/aff_transfer',
    { config, schema: { body: transferBody } },
    async (request) => {
      await transferEarnings(services, callerOf(request), Number(request.body.quota))
      return envelope(undefined, { message: earningsMoved[request.language] })
    },
  )
  app.put('/api/user/setting', { config, schema: { body: settingBody } }, async (request) => {
    await saveOwnSetting(services, callerOf(request).id, request.body)
    return envelope(undefined, { message: settingSaved[request.language] })
  })
  // The notifiers that users can choose from.
  app.get('/api/user/notifiers', { config }, (request) =>
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
  app.get('/api/user/self', { config: before, compress: false }, async (request) =>
    envelope(await ownRecord(accounts, callerOf(request).id)),
  )
  app.put('/api/user/self', { config, schema: { body: selfBody } }, async (request) => {
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
    { config: { ...config, needsProof: true } },
    async (request, reply) => {
      const caller = callerOf(request)
      if (caller.role >= role.root) throw superStays()
      await accounts.softDelete(caller.id, caller)
      await request.session.signOut(reply)
      return envelope()
    },
  )
}
