import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCoreServices, type CoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { channelInput, startChannels } from '../../test/harness/channels.ts'
import type { Channels } from './channels.ts'

const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`).join()
/** 250 000 routes, as many as a channel may have. */
const most = { models: names(500), group: names(500) }
const refused = (field: string) => ({
  code: 'channel.too_many_routes',
  field,
  values: { field, max: 250_000 },
})

describe.each(databaseKinds)('models times groups of a channel on $name', (kind) => {
  let services: CoreServices
  let channels: Channels

  beforeAll(async () => {
    services = await createCoreServices(kind)
    channels = await startChannels(services)
  })
  afterEach(() => services.database.run('DELETE FROM channels'))
  afterAll(async () => {
    await channels.close()
    await services.close()
  })

  const add = async (fields: object) => {
    const [id = 0] = await channels.create({ ...channelInput, ...fields })
    return id
  }

  it('are bounded where one is added', async () => {
    await expect(add({ ...most, models: names(501) })).rejects.toMatchObject(refused('models'))
    await add(most)
  })

  it('are bounded where one is edited, whichever of the two changes', async () => {
    const id = await add({ ...most, group: 'default' })
    const edit = (fields: object) => channels.update({ id, ...fields })
    await edit({ group: most.group })
    await expect(edit({ models: names(501) })).rejects.toMatchObject(refused('models'))
    await expect(edit({ group: names(501) })).rejects.toMatchObject(refused('group'))
    // One of before the bound can still be edited otherwise.
    await services.database.run('UPDATE channels SET models = :models', { models: names(501) })
    await edit({ name: 'other', models: names(501), group: most.group })
    await edit({ models: names(500) })
  })

  it('are bounded where those of a tag are edited', async () => {
    const small = await add({ tag: 't' })
    await add({ tag: 't', models: most.models })
    await add({ tag: 'other', ...most })
    const edit = (fields: object) => channels.editTag({ tag: 't', ...fields })
    await expect(edit({ groups: names(501) })).rejects.toMatchObject(refused('groups'))
    await expect(edit({ groups: names(501), models: names(500) })).rejects.toMatchObject(
      refused('models'),
    )
    await edit({ groups: names(501), models: 'm' })
    expect(await channels.find(small)).toMatchObject({ models: 'm', group: names(501) })
    await expect(edit({ models: names(500) })).rejects.toMatchObject(refused('models'))
    await edit({ groups: 'default' })
  })
})
