// What docs/operations.md says of a backup: its own line is run beside a gateway under load, and what it wrote serves elsewhere.
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import {
  addChannel,
  addCustomer,
  ApiClient,
  fakeUpstream,
  rootAccount,
  setPrice,
  startApp,
  startGateway,
} from '#test'
import { startSteadyLoad } from '../../harness/steady-load.ts'

const page = new URL('../../../docs/operations.md', import.meta.url)
const model = 'm'

it('is written beside a gateway under load, and serves elsewhere with books that agree', async () => {
  const [line] = (await readFile(page, 'utf8')).match(/^node -e .*tollgate\.db backup\.db$/m) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'restored-'))
  const upstream = await fakeUpstream()
  const app = await startApp()
  try {
    await setPrice(app.root, model, 1)
    await addChannel(app.root, { base_url: upstream.url, models: model })
    const { key, id } = await addCustomer(app.root, 'ann', 1_000_000)
    const load = startSteadyLoad(() => ({ url: app.url, key, model }), 4)
    const usedQuota = async () =>
      (await app.root.get<{ used_quota: number }>(`/api/user/${id}`)).used_quota
    await vi.waitFor(async () => expect(await usedQuota()).toBeGreaterThan(0), 10_000)
    const words = (line ?? '')
      .replace('data/tollgate.db', join(app.dataDir, 'tollgate.db'))
      .replace('backup.db', join(folder, 'tollgate.db'))
    execFileSync('sh', ['-c', words])
    expect((await load.stop()).every(({ isComplete }) => isComplete)).toBe(true)
    await copyFile(join(app.dataDir, 'secret.key'), join(folder, 'secret.key'))
    const verified = await app.commandIn({ DATA_DIR: folder }, 'ledger', 'verify')
    expect(verified).toMatchObject({ code: 0 })
    const restored = await startGateway({
      env: { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SSRF_ALLOW: '127.0.0.0/8' },
    })
    const { username, password } = rootAccount
    const root = await new ApiClient(restored.url).signIn(username, password)
    const [kept, used] = [
      await root.get<{ quota: number; used_quota: number }>(`/api/user/${id}`),
      await usedQuota(),
    ]
    expect(kept.quota + kept.used_quota).toBe(1_000_000)
    expect(kept.used_quota).toBeGreaterThan(0)
    expect(kept.used_quota).toBeLessThanOrEqual(used)
    expect(await restored.stop()).toBe(0)
  } finally {
    await app.close()
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
