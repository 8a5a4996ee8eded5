import { optionLabelOf, serverAddressOf, textsOf, useStatusStore } from '#console'
import type { SettingsSection, SettingsTab } from './arrange-settings.ts'

/** In the words of this page, else in those of the plugins that stand there. */
export function sectionTitle(section: SettingsSection): string {
  const own = ['settings.title', 'title']
  return (
    find(section, `sections.${section.id}`) ?? findAtOwners(section, own) ?? readable(section.id)
  )
}

export function sectionHint(section: SettingsSection): string | undefined {
  return find(section, `sectionHints.${section.id}`) ?? findAtOwners(section, ['settings.hint'])
}

export function tabTitle({ id, sections }: SettingsTab): string {
  for (const section of sections) {
    const words = find(section, `tabs.${id}`)
    if (words !== undefined) return words
  }
  return readable(id)
}

/** The options of a section: its fields, and what its parts edit themselves. */
export function keysOf({ owners, parts }: SettingsSection): string[] {
  return [...new Set([...owners.keys(), ...parts.flatMap(({ options = [] }) => options)])]
}

/** In the words of whoever declares it, or of the part that edits it. */
export function optionLabel(section: SettingsSection, key: string): string {
  const part = section.parts.find(({ options }) => options?.includes(key))
  const owners = [section.owners.get(key), part?.owner, 'settings'].map(namespaceOf)
  const owner = owners.find((name) => textsOf(name).has(`options.${key}`))
  return optionLabelOf(key, owner ?? 'settings')
}

/** Core has no texts for screens: this page speaks for its options. */
export function namespaceOf(owner: string | undefined): string {
  return owner === undefined || owner === 'core' ? 'settings' : owner
}

function find(section: SettingsSection, key: string): string | undefined {
  return firstOf(['settings', ...ownersOf(section)], [key])
}

/** The text of the section's owners under the first of `keys` that one of them has. */
function findAtOwners(section: SettingsSection, keys: readonly string[]): string | undefined {
  return firstOf(ownersOf(section), keys)
}

function ownersOf({ owners, parts }: SettingsSection): string[] {
  const all = new Set([...owners.values(), ...parts.map(({ owner }) => owner)])
  return [...all].filter((owner) => owner !== 'core' && owner !== 'settings')
}

function firstOf(namespaces: readonly string[], keys: readonly string[]): string | undefined {
  for (const namespace of namespaces) {
    const t = textsOf(namespace)
    const key = keys.find((candidate) => t.has(candidate))
    if (key !== undefined) return t(key, { site: siteAddress() })
  }
  return undefined
}

/** Where this console is reached from outside: hints name it in addresses that others must know. */
function siteAddress(): string {
  return serverAddressOf(useStatusStore.getState().status)
}

function readable(id: string): string {
  const words = id.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
