import {
  callerOf,
  envelope,
  newUserBody,
  type PluginServices,
  readPage,
  userBody,
  type UserFilter,
  type RouteApp,
} from '#core'
import { logAction } from './account-log.ts'
import { changeQuota, createUser, editUser } from './edit.ts'
import { existingUser, liveUser } from './find-user.ts'
import { manageUser } from './manage.ts'
import { checkReach, checkRemovable } from './role-rules.ts'
import { listQuery, manageBody, userInPath, type ListQuery } from './schema.ts'

const config = { access: 'admin' } as const

export function userRoutes(app: RouteApp, services: PluginServices): void {
  readingRoutes(app, services)
  app.post('/api/user/', { config, schema: { body: newUserBody } }, async (request) => {
    await createUser(services, callerOf(request), request.body)
    return envelope()
  })
  app.put('/api/user/', { config, schema: { body: userBody } }, async (request) => {
    await editUser(services, callerOf(request), request.body, {
      requireProof: () => services.signIn.requireProof(request),
    })
    return envelope()
  })
  app.post('/api/user/manage', { config, schema: { body: manageBody } }, async (request) => {
    const { body } = request
    const manage = body.action === 'change_quota' ? changeQuota : manageUser
    return envelope(await manage(services, callerOf(request), body))
  })
  app.delete('/api/user/:id', { config, schema: { params: userInPath } }, async (request) => {
    const target = await existingUser(services.accounts, request.params.id)
    checkRemovable(callerOf(request), target)
    await services.accounts.hardDelete(target.id, callerOf(request))
    logAction(services, callerOf(request), target, 'remove')
    return envelope()
  })
}

function readingRoutes(app: RouteApp, { accounts }: PluginServices): void {
  const schema = { querystring: listQuery }
  for (const url of ['/api/user/', '/api/user/search']) {
    app.get(url, { config, schema }, async (request) => {
      const page = readPage(request.query)
      return envelope(onPage(await accounts.search(readFilter(request.query), page), page))
    })
  }
  app.get('/api/user/:id', { config, schema: { params: userInPath } }, async (request) => {
    const user = await liveUser(accounts, request.params.id)
    checkReach(callerOf(request), user)
    return envelope(user)
  })
}

function readFilter({ keyword = '', group = '', ...query }: ListQuery): UserFilter {
  const { role, status, sort } = query
  return {
    keyword,
    group,
    ...(role === undefined ? {} : { role: Number(role) }),
    ...(status === undefined ? {} : { status: status === 'deleted' ? status : Number(status) }),
    ...(sort === undefined ? {} : { sort }),
    isAscending: query.order === 'asc',
  }
}

function onPage<T>(found: { items: T[]; total: number }, page: { page: number; pageSize: number }) {
  return { ...found, page: page.page, page_size: page.pageSize }
}
