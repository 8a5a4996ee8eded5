// A gateway as a process of its own, on an embedded database in a temporary folder, with the plugin of the author on.
import { realpathSync } from 'node:fs'
import { basename, delimiter, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, startApp } from '../harness/app.ts'
import { addChannel, addCustomer, type Customer, setPrices } from '../harness/shop.ts'

export interface TestGatewayOptions {
  /** Variables of docs/environment.md. */
  env?: Record<string, string>
  /** Options that are set before the first call: value as on the wire, text or what JSON makes of it. */
  options?: Readonly<Record<string, unknown>>
}

export interface TestGateway extends Omit<App, 'goOnWithin'> {
  /** Sets options as the settings page does, all or none. */
  setOptions(values: Readonly<Record<string, unknown>>): Promise<void>
  /** A channel whose models cost one unit a token; resolves to its id. `type` 1 is an upstream of the OpenAI dialect. */
  addChannel(channel: {
    base_url: string
    models: string
    type?: number
    [field: string]: unknown
  }): Promise<number>
  /** A user with a balance and a token. */
  addCustomer(username: string, quota?: number): Promise<Customer>
  /** POST as a customer's program would, with the key of its token. */
  call(customer: Customer, path: string, body: object): Promise<Response>
  /** What it has logged: the last 400 lines. */
  log(): string
}

/** Starts it with the plugins in `folders` on: `await testGateway(import.meta.dirname)`. @throws Error that says why a plugin was left out */
export async function testGateway(
  folders: string | URL | readonly (string | URL)[],
  { env = {}, options = {} }: TestGatewayOptions = {},
): Promise<TestGateway> {
  const paths = [folders].flat().map(pathOf)
  const app = await startApp({
    env: { PLUGIN_DIRS: paths.join(delimiter), ...env },
    plugins: paths.map((path) => basename(path).split('@', 1)[0] ?? ''),
  })
  const gateway = furnished(app)
  try {
    if (Object.keys(options).length > 0) await gateway.setOptions(options)
    return gateway
  } catch (error) {
    await app.close()
    throw error
  }
}

function pathOf(folder: string | URL): string {
  const path = folder instanceof URL ? fileURLToPath(folder) : resolve(folder)
  return realpathSync(path)
}

function furnished(app: App): TestGateway {
  return {
    // After a restart it has another address.
    get url() {
      return app.url
    },
    get root() {
      return app.root
    },
    get process() {
      return app.process
    },
    dataDir: app.dataDir,
    env: app.env,
    restart: (how, words) => app.restart(how, words),
    command: (...words) => app.command(...words),
    commandIn: (env, ...words) => app.commandIn(env, ...words),
    close: () => app.close(),
    setOptions: async (values) => {
      for (const [key, value] of Object.entries(values)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value)
        await app.root.put('/api/option/', { key, value: text })
      }
    },
    addChannel: async (channel) => {
      const id = await addChannel(app.root, channel)
      await setPrices(app.root, channel.models.split(','), 1)
      return id
    },
    addCustomer: (username, quota = 10_000_000) => addCustomer(app.root, username, quota),
    call: ({ key }, path, body) =>
      fetch(app.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    log: () => app.process.log(),
  }
}
