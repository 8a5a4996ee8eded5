// A plugin's life in a gateway that serves: installed, confirmed, upgraded, rolled back and uninstalled while calls and streams run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addChannel,
  addCustomer,
  type App,
  type Customer,
  fakeUpstream,
  type FakeUpstream,
  setPrice,
  startApp,
} from '#test'
import type { GatewayDatabaseKind } from '../../harness/gateway-databases.ts'
import { packedPlugin } from './packed-plugin.ts'
import { startSteadyLoad } from '../../harness/steady-load.ts'
import { broken, first, greedy, second } from './sample-versions.ts'

interface Row {
  id: string
  version: string
  state: string
  enabled: boolean
  error: string
  versions: { version: string; is_current: boolean; error: string; newer_steps: string[] }[]
}

export function describeLifecycle({ name, open }: GatewayDatabaseKind): void {
  describe(`a plugin on ${name}`, () => {
    let app: App
    let upstream: FakeUpstream
    let customer: Customer
    let work: string
    let closeDatabase: () => Promise<void>

    beforeAll(async () => {
      work = await mkdtemp(join(tmpdir(), 'tollgate-life-'))
      const database = await open()
      closeDatabase = database.close
      // Calls are open at every switch, and short ones do not keep the machine busy.
      upstream = await fakeUpstream({ delayMs: 25 })
      app = await startApp({ isWithin: true, env: database.env })
      await setPrice(app.root, 'life-model', 1)
      await addChannel(app.root, { base_url: upstream.url, models: 'life-model' })
      customer = await addCustomer(app.root, 'life-customer', 1_000_000_000)
    })
    afterAll(async () => {
      await app.close()
      await upstream.close()
      await closeDatabase()
      await rm(work, { recursive: true, force: true })
    })

    const row = async () =>
      (await app.root.get<Row[]>('/api/plugin/')).find(({ id }) => id === 'acme')
    const served = async () => {
      const answer = await fetch(`${app.url}/api/acme`)
      const body = (await answer.json()) as { data?: string }
      return answer.status === 200 ? body.data : answer.status
    }
    const upload = (source: string) =>
      app.root.sendFile('/api/plugin/upload', packedPlugin({ 'index.ts': source }))
    const use = async (version: string) => {
      const { hash } = await app.root.get<{ hash: string }>(
        `/api/plugin/acme/asks?version=${version}`,
      )
      return app.root.call('PUT', '/api/plugin/version', { id: 'acme', version, confirm: hash })
    }
    const uninstall = (tables: string, options: string) =>
      app.root.call('POST', '/api/plugin/uninstall', { id: 'acme', tables, options })

    it('is installed off, from a folder, with what it asks for', async () => {
      await writeFile(join(work, 'index.ts'), first)
      const from = { from: 'folder', path: work }
      expect(await app.root.post('/api/plugin/install', from)).toEqual({
        id: 'acme',
        version: '1.0.0',
        name: 'Acme',
      })
      expect(await row()).toMatchObject({
        state: 'off',
        version: '1.0.0',
        source: 'package',
        options: ['AcmeWord'],
      })
      expect(await served()).toBe(404)
      const { asks } = await app.root.get<{ asks: unknown[] }>('/api/plugin/acme/asks')
      expect(asks).toEqual([
        { kind: 'route', name: '/api/acme', is_new: true },
        { kind: 'service', name: 'database', is_new: true },
        { kind: 'service', name: 'routes', is_new: true },
        { kind: 'table', name: 'acme__', is_new: true },
      ])
    })

    it('is switched on by somebody who has seen that', async () => {
      const put = (confirm?: string) =>
        app.root.call('PUT', '/api/plugin/', { id: 'acme', enabled: true, confirm })
      expect(await put()).toMatchObject({ success: false, code: 'plugins.confirm' })
      expect(await put('0'.repeat(32))).toMatchObject({ success: false, code: 'plugins.confirm' })
      expect(await served()).toBe(404)
      expect(await app.root.switchPlugin('acme', true)).toMatchObject({ success: true })
      expect(await served()).toBe('1.0.0')
      await app.root.put('/api/plugin/', { id: 'acme', enabled: false })
      // What was confirmed stays so.
      expect(await put()).toMatchObject({ success: true })
    })

    it('is upgraded and rolled back under load without a failed call', async () => {
      const load = startSteadyLoad(
        () => ({ url: app.url, key: customer.key, model: 'life-model' }),
        4,
      )
      await upload(second)
      expect(await row()).toMatchObject({ version: '1.0.0', state: 'on' })
      for (let round = 0; round < 2; round += 1) {
        expect(await use('2.0.0')).toMatchObject({ success: true })
        expect(await served()).toBe('2.0.0')
        expect(await use('1.0.0')).toMatchObject({ success: true })
        expect(await served()).toBe('1.0.0')
      }
      expect(await use('2.0.0')).toMatchObject({ success: true })
      const answers = await load.stop()
      expect(answers.filter(({ status, isComplete }) => status !== 200 || !isComplete)).toEqual([])
      expect(answers.length).toBeGreaterThan(10)
      const { versions } = (await row()) as Row
      expect(versions).toEqual([
        { version: '2.0.0', is_current: true, error: '', newer_steps: [] },
        { version: '1.0.0', is_current: false, error: '', newer_steps: ['acme-0002-word'] },
      ])
    })

    it('goes on in its version when the next one fails, which is blamed by number', async () => {
      await upload(broken)
      const refused = await use('3.0.0')
      expect(refused).toMatchObject({ success: false, code: 'plugins.not_loadable' })
      expect(refused.message).toContain('Version 3.0.0 of plugin "acme" was not taken')
      expect(refused.message).toContain('out of order')
      await use('3.0.0')
      expect(await served()).toBe('2.0.0')
      const now = (await row()) as Row
      expect(now).toMatchObject({ state: 'on', version: '2.0.0', error: '' })
      expect(now.versions[0]?.error).toContain('out of order')
      await app.restart()
      expect(await served()).toBe('2.0.0')
    })

    it('asks again when a version wants more', async () => {
      await upload(greedy)
      const without = await app.root.call('PUT', '/api/plugin/version', {
        id: 'acme',
        version: '4.0.0',
      })
      expect(without).toMatchObject({ success: false, code: 'plugins.confirm' })
      expect(without.message).toContain('service:ledger')
      expect(await served()).toBe('2.0.0')
      const { asks } = await app.root.get<{ asks: { name: string; is_new: boolean }[] }>(
        '/api/plugin/acme/asks?version=4.0.0',
      )
      expect(asks.filter(({ is_new }) => is_new)).toMatchObject([{ name: 'ledger' }])
      expect(await use('4.0.0')).toMatchObject({ success: true })
      expect(await use('2.0.0')).toMatchObject({ success: true })
    })

    it('is upgraded by a command beside the gateway, which follows', async () => {
      const { output, code } = await app.command('plugin', 'use', 'acme@1.0.0')
      expect([code, output]).toEqual([0, expect.stringContaining('acme-0002-word')])
      await expect.poll(served).toBe('1.0.0')
      // One that cannot be loaded leaves the one before it serving there.
      await app.command('plugin', 'use', 'acme@3.0.0', '--yes')
      await expect
        .poll(async () => (await row())?.versions.find(({ version }) => version === '3.0.0')?.error)
        .toContain('out of order')
      expect(await row()).toMatchObject({ state: 'on', version: '1.0.0' })
      expect(await served()).toBe('1.0.0')
      // Its steps never ran, so there is nothing to undo.
      const back = await app.command('plugin', 'use', 'acme@2.0.0', '--yes')
      expect(back).toMatchObject({ code: 0, output: expect.not.stringContaining('Not undone') })
      await expect.poll(served).toBe('2.0.0')
      expect(await served()).toBe('2.0.0')
    })

    it('is uninstalled when it is off, with its tables and options or without', async () => {
      expect(await uninstall('drop', 'drop')).toMatchObject({
        success: false,
        code: 'plugins.still_on',
      })
      await app.root.put('/api/option/', { key: 'AcmeWord', value: 'kept' })
      await app.root.put('/api/plugin/', { id: 'acme', enabled: false })
      expect((await uninstall('keep', 'keep')).data).toEqual({
        tables: [],
        options: [],
        folder: '',
      })
      expect(await row()).toBeUndefined()
      await upload(second)
      await app.root.switchPlugin('acme', true)
      expect(await app.root.get('/api/option/')).toContainEqual({ key: 'AcmeWord', value: 'kept' })
      await app.root.put('/api/plugin/', { id: 'acme', enabled: false })
      expect((await uninstall('drop', 'drop')).data).toEqual({
        tables: ['acme__rows'],
        options: ['AcmeWord'],
        folder: '',
      })
      await upload(second)
      expect(await app.root.switchPlugin('acme', true)).toMatchObject({ success: true })
      expect(await app.root.get('/api/option/')).toContainEqual({ key: 'AcmeWord', value: 'none' })
      expect(
        await app.root.call('POST', '/api/plugin/uninstall', {
          id: 'pricing',
          tables: 'keep',
          options: 'keep',
        }),
      ).toMatchObject({ code: 'plugins.not_removable' })
    })
  })
}
