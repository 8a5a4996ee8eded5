import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createPluginApp, databaseKinds, type PluginApp } from '#test'

describe.each(databaseKinds)('a group that users are in, on $name', (kind) => {
  let app: PluginApp

  beforeAll(async () => {
    app = await createPluginApp({ kind, plugins: [] })
  })
  afterAll(() => app.close())
  afterEach(() => app.removeAccounts())

  const save = (ratios: Record<string, number>) =>
    app.options.set('GroupRatio', JSON.stringify(ratios))

  async function userOf(group: string, username: string): Promise<number> {
    const { id } = await app.accounts.create({ username, by: 'admin' })
    await app.accounts.update(id, { group })
    return id
  }

  it('keeps its ratio, which may be another one', async () => {
    await save({ default: 1, vip: 3 })
    await userOf('vip', 'ada')
    await userOf('vip', 'bob')
    const removal = save({ default: 2 })
    await expect(removal).rejects.toMatchObject({ code: 'account.group_in_use' })
    await expect(removal).rejects.toThrow('keep the group vip: users are in it (2)')
    expect(app.options.get('GroupRatio')).toEqual({ default: 1, vip: 3 })
    await save({ default: 2, vip: 4 })
    expect(app.options.get('GroupRatio')).toEqual({ default: 2, vip: 4 })
  })

  it('goes once they are elsewhere or deregistered', async () => {
    await save({ default: 1, vip: 3 })
    const ada = await userOf('vip', 'ada')
    const bob = await userOf('vip', 'bob')
    await app.accounts.update(ada, { group: 'default' })
    await expect(save({ default: 1 })).rejects.toMatchObject({ code: 'account.group_in_use' })
    await app.accounts.softDelete(bob)
    await save({ default: 1 })
    expect(app.options.get('GroupRatio')).toEqual({ default: 1 })
  })

  it('keeps nobody from other changes where it had no ratio', async () => {
    await save({ default: 1, gold: 2 })
    await userOf('never', 'ada')
    await save({ default: 1 })
    expect(app.options.get('GroupRatio')).toEqual({ default: 1 })
  })
})
