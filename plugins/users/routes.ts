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
  const created = { summary: 'Create a normal user in the group default', body: newUserBody }
  app.post('/api/user/', { config, schema: created }, async (request) => {
    await createUser(services, callerOf(request), request.body)
    return envelope()
  })
  const edited = {
    summary: 'Edit a user; missing fields stay. `quota` changes the balance',
    body: userBody,
  }
  app.put('/api/user/', { config, schema: edited }, async (request) => {
    await editUser(services, callerOf(request), request.body, {
      requireProof: () => services.signIn.requireProof(request),
    })
    return envelope()
  })
  const managed = {
    summary: 'Change the status, role or balance of a user, or deregister the account',
    body: manageBody,
  }
  app.post('/api/user/manage', { config, schema: managed }, async (request) => {
    const { body } = request
    const manage = body.action === 'change_quota' ? changeQuota : manageUser
    return envelope(await manage(services, callerOf(request), body))
  })
  const removed = {
    summary: 'Delete a user for good, with tokens and balance; logs stay',
    params: userInPath,
  }
  app.delete('/api/user/:id', { config, schema: removed }, async (request) => {
    const target = await existingUser(services.accounts, request.params.id)
    checkRemovable(callerOf(request), target)
    await services.accounts.hardDelete(target.id, callerOf(request))
    logAction(services, callerOf(request), target, 'remove')
    return envelope()
  })
}

function readingRoutes(app: RouteApp, { accounts }: PluginServices): void {
  const schema = { summary: 'List users by page, deregistered ones too', querystring: listQuery }
  for (const url of ['/api/user/', '/api/user/search']) {
    app.get(url, { config, schema }, async (request) => {
      const page = readPage(request.query)
      return envelope(onPage(await accounts.search(readFilter(request.query), page), page))
    })
  }
  const shown = { summary: 'Show one user; an admin only those of lower roles', params: userInPath }
  app.get('/api/user/:id', { config, schema: shown }, async (request) => {
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
