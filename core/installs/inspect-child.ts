// A process of its own, with no leave to write: reads a manifest and tells what it says. What its code throws, hangs or prints ends here.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkManifest } from '../kernel/manifest.ts'
import { detailOf } from '../kernel/plugin-fault.ts'
import { factsOf } from '../kernel/plugin-facts.ts'
import { registerResolveHook } from '../kernel/resolve-hook.ts'

const [root = '', file = '', entry = ''] = process.argv.slice(2)

async function read(): Promise<object> {
  try {
    registerResolveHook(root)
    // What it imports of the gateway takes a while; from then on the time is the plugin's.
    await import(pathToFileURL(join(root, 'core', 'index.ts')).href)
    process.send?.({ isUp: true })
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
process.send?.(said, () => process.exit(0))
