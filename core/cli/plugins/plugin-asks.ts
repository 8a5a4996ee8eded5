// Shows in the terminal what a plugin asks for, without loading its code into this process.
import { inspect } from '../../installs/inspect.ts'
import { type AskList, moreThan } from '../../kernel/manifest/asks.ts'
import type { Found } from '../../kernel/discover.ts'
import type { PluginFacts } from '../../kernel/manifest/plugin-facts.ts'
import { root } from '../../app/root.ts'
import { readSettings } from '../../app/configuration.ts'
import type { PluginShelf } from './plugin-shelf.ts'
import type { Print } from '../print.ts'

const kinds: Readonly<Record<string, string>> = {
  host: 'calls hosts',
  origin: 'lets its screens load from',
  secret: 'keeps secrets',
  variable: 'reads variables of the environment',
  route: 'serves addresses below',
  table: 'has tables named',
  service: 'uses services',
  console: 'runs code in the console of everybody',
  command: 'brings commands',
  channel: 'serves channels, with their keys, of type',
}

/** Reads the facts of a plugin that was found.
 *  @throws AppError if its manifest cannot be read */
export async function factsOfFound({ facts, folder, entry }: Found): Promise<PluginFacts> {
  return facts ?? inspect({ root, folder, entry, limitMs: readSettings().pluginLoadMs })
}

/** One line for each kind of request. */
export function askLines(asks: AskList): string[] {
  const byKind = Map.groupBy(asks, (ask) => ask.slice(0, ask.indexOf(':')))
  return [...byKind].map(([kind, list]) => {
    const names = list.map((ask) => ask.slice(ask.indexOf(':') + 1))
    if (kind === 'console') return `  ${kinds[kind]}`
    const words = names.includes('*') ? 'any (its manifest names none)' : names.join(', ')
    return `  ${kinds[kind] ?? kind}: ${words}`
  })
}

/** The list of what the plugin asks for if somebody has agreed to it, now or before.
 *  @returns undefined if the agreement is missing */
export async function confirmedAsks(
  found: Found,
  { records, isAgreed, print }: PluginShelf & { isAgreed: boolean; print: Print },
): Promise<AskList | undefined> {
  const { asks } = await factsOfFound(found)
  const more = moreThan(asks, records.confirmedOf(found.id))
  if (more.length === 0) return asks
  print(`Plugin "${found.id}" asks for more than was confirmed:`)
  for (const line of askLines(more)) print(line)
  if (isAgreed) return asks
  print('Nothing was changed. Say --yes to confirm it.')
  return undefined
}
