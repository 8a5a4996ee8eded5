// `tollgate plugin list|enable|disable|unpark`: works on the table only, so that it can repair a gateway that a plugin
// keeps from starting.
import { load, type Found, isExternal } from '../../kernel/discover.ts'
import { sentenceOf } from '../../kernel/plugin-fault.ts'
import { stateOf } from '../../kernel/host/plugin-rows.ts'
import { registerResolveHook } from '../../kernel/resolve-hook.ts'
import { root } from '../../app/root.ts'
import { readSettings } from '../../app/configuration.ts'
import { confirmedAsks } from './plugin-asks.ts'
import { type PluginShelf, notifyGateways, withPlugins } from './plugin-shelf.ts'
import type { Print } from '../print.ts'

/** @returns the exit code */
export function listPlugins(print: Print): Promise<number> {
  return withPlugins(async ({ found: plugins, records }) => {
    const { offAtFirstStart } = readSettings()
    for (const found of plugins.all) {
      const { id, source, folder, blame, version, facts } = found
      const isBuiltIn = source === 'built-in'
      const cause = blame ?? records.causeOf(id)
      const state = stateOf({
        isEnabled: records.isEnabled(id) ?? (isBuiltIn && !offAtFirstStart.includes(id)),
        isLoaded: false,
        isParked: !isBuiltIn && records.isParked(id),
        isHeldBySafeMode: false,
        blame: cause,
      })
      const notes = [
        cause ? sentenceOf(cause, 'en') : '',
        facts?.kind === 'plugin' && facts.contract === ''
          ? 'says for no contract that it was written: add contract to its manifest'
          : '',
      ]
      const place = isBuiltIn ? source : folder
      const words = [
        version ? `${id}@${version}` : id,
        state,
        place,
        notes.filter(Boolean).join('; '),
      ]
      print(words.join('\t').trimEnd())
      for (const other of plugins.versionsOf(id))
        if (other.version !== version) print(`  ${id}@${other.version}\tinstalled\t${other.folder}`)
    }
    return 0
  })
}

type SwitchAction = 'enable' | 'disable' | 'unpark'

/** @returns the exit code */
export function switchPlugin(
  action: SwitchAction,
  words: readonly string[],
  print: Print,
): Promise<number> {
  const isAgreed = words.includes('--yes')
  const [id, ...rest] = words.filter((word) => word !== '--yes')
  if (id === undefined || rest.length > 0 || (isAgreed && action !== 'enable')) {
    print(`Usage: tollgate plugin ${action} ID${action === 'enable' ? ' [--yes]' : ''}`)
    return Promise.resolve(2)
  }
  return withPlugins(async (shelf) => {
    const found = shelf.found.find(id)
    const refusal = found ? await refusalOf(found, action) : `There is no plugin "${id}".`
    if (!found || refusal) {
      print(refusal)
      return 1
    }
    return (await change(action, found, { ...shelf, isAgreed, print })) ? 0 : 1
  })
}

async function change(
  action: SwitchAction,
  found: Found,
  { isAgreed, print, ...shelf }: PluginShelf & { isAgreed: boolean; print: Print },
): Promise<boolean> {
  const { id } = found
  if (action === 'unpark') await shelf.records.forgive(id)
  else {
    const isOn = action === 'enable' && isExternal(found)
    const asks = isOn ? await confirmedAsks(found, { ...shelf, isAgreed, print }) : undefined
    if (isOn && !asks) return false
    await shelf.records.write(found, action === 'enable', asks)
  }
  await notifyGateways(shelf, id)
  const done = { enable: 'on', disable: 'off', unpark: 'not parked any more' }[action]
  print(`Plugin "${id}" is ${done}. A gateway that is running follows.`)
  return true
}

/** Only built-in plugins are loaded and asked. */
async function refusalOf(found: Found, action: string): Promise<string> {
  const { id, blame, source } = found
  if (blame && action !== 'disable')
    return `Plugin "${id}" cannot be switched: ${sentenceOf(blame, 'en')}`
  if (action !== 'disable' || source !== 'built-in') return ''
  registerResolveHook(root)
  const outcome = await load(found)
  const manifest = 'manifest' in outcome ? outcome.manifest : undefined
  return manifest?.kind === 'plugin' && manifest.isEssential
    ? `Plugin "${id}" cannot be switched off: without it the super admin could not sign in.`
    : ''
}
