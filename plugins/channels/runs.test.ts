import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type HttpClient, type Job, type Usage } from '#core'
import { createPluginApp, type InjectClient, type PluginApp } from '#test'
import { createChannels, type Channels } from '../../core/channels/channels.ts'
import { channelTestRunning } from '../../core/channels/channel-errors.ts'
import { plain } from '../../test/harness/channels.ts'
import { quietLog } from '../../test/harness/databases.ts'
import { channelJobs } from './jobs.ts'
import channelsPlugin from './index.ts'
import type { ChannelRun } from './schema.ts'

let app: PluginApp
let channels: Channels
let boss: InjectClient

beforeAll(async () => {
  app = await createPluginApp({
    plugins: [channelsPlugin],
    services: async (made) => {
      channels = createChannels({
        ...made,
        http: {} as HttpClient,
        adapters: () => [plain],
        log: quietLog,
      })
      channels.useProbe({ test: async () => ({ usage: { input: 1, output: 1 } as Usage }) })
      return { channels }
    },
  })
  const password = 'correct horse'
  const roles = { root: 100, boss: 10 }
  for (const [username, role] of Object.entries(roles)) {
    const user = await app.accounts.create({ username, password, role, by: 'setup' })
    boss = await app.signedIn(user.id)
  }
  await channels.create({ type: 1, name: 'one', key: 'sk-1', models: 'm', group: 'default' })
})
afterAll(async () => {
  await channels.close()
  await app.close()
})

const path = '/api/channel/runs'
const shown = async () => (await boss.call<ChannelRun[]>('GET', path)).data
const runOf = async (kind: ChannelRun['kind']) => (await shown())?.find((run) => run.kind === kind)
const runJob = () => {
  const [job] = channelJobs({ ...app, channels } as never) as [Job]
  return job.run(new AbortController().signal)
}

it('shows how far runs over all channels are, and leaves alone what is over', async () => {
  expect(await shown()).toEqual([])
  await boss.call('GET', '/api/channel/test')
  await boss.call('GET', '/api/channel/update_balance')
  const ended = { state: 'done', done: 1, username: 'boss' }
  await expect.poll(() => runOf('test')).toMatchObject(ended)
  await expect.poll(() => runOf('balance')).toMatchObject({ ...ended, skipped: 1 })
  const stopped = await boss.call<ChannelRun[]>('POST', `${path}/stop`, { kind: 'test' })
  expect(stopped.data).toEqual(await shown())
  expect(await runOf('test')).toMatchObject({ ...ended, stopped_by: '' })
  const unknown = await boss.call('POST', `${path}/stop`, { kind: 'models' })
  expect(unknown).toMatchObject({ success: false })
})

it('names nobody where the schedule began a run, which is no fault while another goes on', async () => {
  await app.options.set('ChannelTestFrequency', '5')
  await runJob()
  await expect.poll(() => runOf('test')).toMatchObject({ state: 'done', username: '' })
  const running = vi.spyOn(channels, 'testAll').mockRejectedValueOnce(channelTestRunning())
  await runJob()
  expect(running).toHaveBeenCalledOnce()
  running.mockRejectedValueOnce(new Error('disk full'))
  await expect(runJob()).rejects.toThrow('disk full')
})
