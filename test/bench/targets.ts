// What is measured: the bare proxy, and a gateway with everything on.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { startApp } from '../harness/app.ts'
import { createPostgres } from '../harness/databases.ts'
import { addChannel, addCustomer, setPrice } from '../harness/shop.ts'

export interface Target {
  name: string
  url: string
  headers: Record<string, string>
  pid: number
  close(): Promise<void>
}

/** The core that the measured process has for itself. */
const onCoreZero = ['taskset', '-c', '0'] as const

export async function startBareProxy(upstreamUrl: string): Promise<Target> {
  const script = new URL('bare-proxy.ts', import.meta.url).pathname
  const [command, ...before] = onCoreZero
  const child = spawn(command, [...before, process.execPath, script, upstreamUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    name: 'bare proxy',
    url: (JSON.parse(line) as { address: string }).address,
    headers: { authorization: 'Bearer sk-bench' },
    pid: child.pid ?? 0,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}

/** Key check, selection, price, reservation, settlement and log row, with strict durability. */
export async function startMeteredGateway(
  upstreamUrl: string,
  database: 'sqlite' | 'postgres',
): Promise<Target> {
  const postgres = database === 'postgres' ? await createPostgres() : undefined
  const app = await startApp({
    prefix: onCoreZero,
    env: {
      LOG_LEVEL: 'info',
      BILLING_DURABILITY: 'strict',
      ...(postgres?.settings.url === undefined ? {} : { DATABASE_URL: postgres.settings.url }),
    },
  })
  await setPrice(app.root, 'bench-model', 1)
  await addChannel(app.root, { base_url: upstreamUrl, models: 'bench-model' })
  const { key } = await addCustomer(app.root, 'bench', 1_000_000_000_000)
  return {
    name: `gateway, ${database}`,
    url: app.url,
    headers: { authorization: `Bearer ${key}` },
    pid: app.process.pid,
    close: async () => {
      await app.close()
      await postgres?.close()
    },
  }
}
