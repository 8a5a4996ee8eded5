import { optionLabelOf, serverAddressOf, textsOf, useStatusStore } from '#console'
import type { SettingsSection, SettingsTab } from './arrange-settings.ts'

/** The section's title: from this plugin's texts, or else from those of the plugins in the section. */
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

/** All options of a section: its fields, and those edited by its parts. */
export function keysOf({ owners, parts }: SettingsSection): string[] {
  return [...new Set([...owners.keys(), ...parts.flatMap(({ options = [] }) => options)])]
}

/** The label of an option: from the plugin that declares it, or from the part that edits it. */
export function optionLabel(section: SettingsSection, key: string): string {
  const part = section.parts.find(({ options }) => options?.includes(key))
  const owners = [section.owners.get(key), part?.owner, 'settings'].map(namespaceOf)
  const owner = owners.find((name) => textsOf(name).has(`options.${key}`))
  return optionLabelOf(key, owner ?? 'settings')
}

/** Core has no console texts, so this plugin has those of core's options. */
export function namespaceOf(owner: string | undefined): string {
  return owner === undefined || owner === 'core' ? 'settings' : owner
}

function find(section: SettingsSection, key: string): string | undefined {
  return firstOf(['settings', ...ownersOf(section)], [key])
}

/** The text for the first of `keys` that one of the section's owners has. */
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

/** The public address of this site, for hints that show callback addresses. */
function siteAddress(): string {
  return serverAddressOf(useStatusStore.getState().status)
}

function readable(id: string): string {
  const words = id.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
