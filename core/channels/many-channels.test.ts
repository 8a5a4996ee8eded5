import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCoreServices, type CoreServices } from '../../test/harness/core-services.ts'
import { databaseKinds } from '../../test/harness/databases.ts'
import { channelInput, startChannels } from '../../test/harness/channels.ts'
import { channelModel } from '../data/models/channel.ts'
import type { Channels } from './channels.ts'

describe.each(databaseKinds)('a change of many channels on $name', (kind) => {
  let services: CoreServices
  let channels: Channels

  beforeEach(async () => {
    services = await createCoreServices(kind)
    channels = await startChannels(services)
    await channels.create({ ...channelInput, key: 'sk-a\nsk-b\nsk-c', tag: 't' })
  })
  afterEach(async () => {
    await channels.close()
    await services.close()
  })

  it('leaves what is kept of a channel that is in that status already', async () => {
    const ids = [...channels.index().all()].map(({ id }) => id)
    await services.database.run("UPDATE channels SET other_info = 'kept' WHERE id = :id", {
      id: ids[0],
    })
    await channels.setStatus(ids.slice(1), 2)
    expect(await channels.setStatus(ids, 1)).toBe(2)
    expect((await channels.find(ids[0] ?? 0)).other_info).toBe('kept')
    expect([...channels.index().all()].every(({ isEnabled }) => isEnabled)).toBe(true)
  })

  it('needs their ids alone, not their keys, models and settings', async () => {
    const made = vi.spyOn(channelModel(services.database), 'bulkBuild')
    await channels.setTagStatus('t', 2)
    expect(await channels.removeDisabled()).toBe(3)
    expect([...channels.index().all()]).toEqual([])
    expect(made).not.toHaveBeenCalled()
  })
})
