import { callerOf, envelope, type PluginServices, type RouteApp, Type } from '#core'

type Services = Pick<PluginServices, 'channels' | 'options' | 'pricing' | 'accounts'>

/** Not a group of its own: each call of such a token takes the first of AutoGroups that serves its model. */
const automatic = 'auto'

const modelsQuery = Type.Object({
  group: Type.Optional(
    Type.String({ description: 'As a token has it: only the models that its calls reach.' }),
  ),
})

/** The groups and models that a user or a visitor may choose from. */
export function offerRoutes(
  app: RouteApp,
  { accounts, channels, options, pricing }: Services,
): void {
  const groupsOf = (group?: string) =>
    Object.fromEntries(
      pricing.usableGroups(group).map(({ name, ratio, desc }) => [name, { ratio, desc }]),
    )

  const open = { summary: 'List the groups that every user may choose, with ratios' }
  app.get('/api/user/groups', { config: { access: 'public' }, schema: open }, () =>
    envelope(groupsOf()),
  )
  const own = { summary: 'List the groups that this user may choose, with ratios' }
  app.get('/api/user/self/groups', { config: { access: 'user' }, schema: own }, (request) => {
    const desc = options.get<Record<string, string>>('UserUsableGroups')[automatic]
    const groups = groupsOf(callerOf(request).group)
    // A word in place of the ratio, which differs from call to call.
    return envelope(
      desc === undefined ? groups : { ...groups, [automatic]: { ratio: automatic, desc } },
    )
  })
  const offered = { summary: 'List the models that this user may call', querystring: modelsQuery }
  const modelsRoute = { config: { access: 'user' }, schema: offered } as const
  app.get('/api/user/models', modelsRoute, async (request) => {
    const { id, group } = callerOf(request)
    const usable = pricing.usableGroups(group).map(({ name }) => name)
    const models = await channels.modelsOfGroups(within(usable, request.query.group))
    // As `/v1/models`: a model whose calls would be refused for want of a price is none that the user can choose.
    const isAnyTaken = options.get<boolean>('SelfUseModeEnabled') || (await acceptsUnset(id))
    return envelope(isAnyTaken ? models : models.filter((name) => pricing.isPriced(name)))
  })

  function within(usable: string[], wanted = ''): string[] {
    if (wanted === '') return usable
    const reached = wanted === automatic ? options.get<string[]>('AutoGroups') : [wanted]
    return usable.filter((name) => reached.includes(name))
  }

  async function acceptsUnset(id: number): Promise<boolean> {
    return (await accounts.settingOf(id)).accept_unset_model_ratio_model === true
  }
}
