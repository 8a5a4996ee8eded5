// A process of its own, with no leave to write: reads a manifest and tells what it says. What its code throws, hangs or prints ends here.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkManifest } from '../kernel/manifest.ts'
import { detailOf } from '../kernel/plugin-fault.ts'
import { factsOf } from '../kernel/plugin-facts.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'

const [root = '', file = '', entry = ''] = process.argv.slice(2)
const tell = process.send?.bind(process)

/** Ends or debugs another process, the gateway among them; or answers in place of this file. */
const keptNames = ['kill', '_kill', '_debugProcess', 'send', '_send'] as const
let isReading = false

/** Until the manifest is read. */
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
    // What it imports of the gateway takes a while; from then on the time is the plugin's.
    await import(pathToFileURL(join(root, 'core', 'index.ts')).href)
    tell?.({ isUp: true })
    keepFromPlugin()
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    const id = idOf(module.default)
    const manifest = checkManifest(module.default, id)
    const version = manifest.kind === 'plugin' ? (manifest.version ?? '') : ''
    return { facts: factsOf(manifest, entry, version) }
  } catch (error) {
    return { fault: detailOf(error) }
  }
}

function idOf(exported: unknown): string {
  const isObject = typeof exported === 'object' && exported !== null
  return isObject && 'id' in exported ? String(exported.id) : ''
}

const said = await read()
isReading = false
tell?.(said, () => process.exit(0))
