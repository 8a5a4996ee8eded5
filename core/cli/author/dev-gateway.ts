// The gateway of `tollgate plugin dev`: `node dev-gateway.ts FOLDER DATA_DIR`. It runs as a process of its own, so that
// the command survives whatever the plugin does.
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { load } from '../../kernel/discover.ts'
import { readSettings } from '../../app/configuration.ts'
import { type Gateway, startGateway } from '../../main.ts'
import { placeOfFault } from './place-of-fault.ts'
import { errorText } from '../../kernel/error-text.ts'

/** Messages to the process of the command. */
export type DevNews =
  | { kind: 'serves'; address: string; password: string | undefined }
  | { kind: 'loaded'; ms: number }
  /** The new files could not be loaded, and the previous generation continues. `place` is the file and line of the
   *  fault, if known. */
  | { kind: 'failed'; sentence: string; place: string | undefined }

const [folder = '', dataDir = ''] = process.argv.slice(2)
const id = basename(folder)
const send = (news: DevNews) => void process.send?.(news)

async function serve(): Promise<void> {
  const settings = readSettings()
  const gateway = await startGateway({
    ...settings,
    dataDir,
    databaseUrl: '',
    redisUrl: '',
    workers: 1,
    logLevel: 'error',
    pluginDirs: [...settings.pluginDirs, folder],
    isSafe: false,
    // A page that holds a stream open must not delay the author.
    shutdownMs: 1_000,
  })
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    void gateway.close().finally(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('disconnect', stop)
  const password = await firstAccount(gateway)
  send({ kind: 'serves', address: gateway.address, password })
  await reload(gateway)
  let running = Promise.resolve()
  process.on('message', () => {
    running = running.then(() => reload(gateway))
  })
}

/** Creates the super admin of an empty database, with a random password. */
async function firstAccount({ address }: Gateway): Promise<string | undefined> {
  const password = randomBytes(9).toString('base64url')
  const answer = await fetch(`${address}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password, confirmPassword: password }),
  })
  const { success } = (await answer.json()) as { success: boolean }
  return success ? password : undefined
}

/** Builds a generation from the current files. Open requests end in the previous one. */
async function reload({ host }: Gateway): Promise<void> {
  const startedAt = performance.now()
  try {
    const { found } = host.manifest(id) ?? {}
    if (!found) throw new Error(`${folder} has no index.ts`)
    const outcome = await load(found, { isAnew: true })
    if ('error' in outcome) throw outcome.error
    // The fault that parked the plugin may be mended, so it is tried again.
    await host.unpark(id).catch(() => undefined)
    const { hash } = await host.asks(id)
    await host.setEnabled(id, true, hash)
    send({ kind: 'loaded', ms: Math.round(performance.now() - startedAt) })
  } catch (error) {
    send({ kind: 'failed', sentence: errorText(error), place: placeOf(error) })
  }
}

function placeOf(error: unknown): string | undefined {
  const { cause } = error instanceof Error ? error : {}
  const stacks = [error, cause].map((one) => (one instanceof Error ? (one.stack ?? '') : ''))
  return placeOfFault(stacks.join('\n'), folder)
}

serve().catch((error: unknown) => {
  send({ kind: 'failed', sentence: errorText(error), place: undefined })
  process.exit(1)
})
