// Runs as a process of its own without permission to write: reads a plugin's manifest and sends it to the parent. If
// the plugin's code throws, hangs or prints, only this process is affected.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '../contract/plugin.ts'
import { checkManifest } from '../kernel/manifest/manifest.ts'
import { detailOf } from '../kernel/plugin-fault.ts'
import { factsOf } from '../kernel/manifest/plugin-facts.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'

const [root = '', file = '', entry = ''] = process.argv.slice(2)
const send = process.send?.bind(process)

/** Functions with which plugin code could end or debug other processes, the gateway among them, or answer in place of
 *  this file. */
const keptNames = ['kill', '_kill', '_debugProcess', 'send', '_send'] as const
let isReading = false

/** Hides these functions until the manifest is read. */
function keepFromPlugin(): void {
  isReading = true
  for (const name of keptNames) {
    const value: unknown = Reflect.get(process, name)
    Object.defineProperty(process, name, {
      get: () => {
        if (isReading) throw new Error(`process.${name} is not there while a manifest is read`)
        return value
      },
    })
  }
}

async function read(): Promise<object> {
  try {
    registerResolveHook(root)
    // Importing the gateway's code takes a while; the time limit counts from here, when the plugin's code starts.
    await import(pathToFileURL(join(root, 'core', 'index.ts')).href)
    send?.({ isUp: true })
    keepFromPlugin()
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    const id = idOf(module.default)
    const manifest = checkManifest(module.default, id)
    if (manifest.kind === 'plugin') checkConsole(manifest)
    const version = manifest.kind === 'plugin' ? (manifest.version ?? '') : ''
    return { facts: factsOf(manifest, entry, version) }
  } catch (error) {
    return { fault: detailOf(error) }
  }
}

/** Runs in the plugin's folder. @throws Error */
function checkConsole({ consoleModule }: Plugin): void {
  if (consoleModule !== undefined && !existsSync(consoleModule))
    throw new Error(
      `key "consoleModule" is "${consoleModule}", which is not there. Build it first (npm run build)`,
    )
}

function idOf(exported: unknown): string {
  const isObject = typeof exported === 'object' && exported !== null
  return isObject && 'id' in exported ? String(exported.id) : ''
}

const said = await read()
isReading = false
send?.(said, () => process.exit(0))
