import { textsOf } from '#console'
import type { SettingsSection, SettingsTab } from './arrange-settings.ts'

/** In the words of this page, else in those of the plugins that stand there. */
export function sectionTitle(section: SettingsSection): string {
  return find(section, `sections.${section.id}`) ?? find(section, 'title') ?? readable(section.id)
}

export function sectionHint(section: SettingsSection): string | undefined {
  return find(section, `sectionHints.${section.id}`)
}

export function tabTitle({ id, sections }: SettingsTab): string {
  for (const section of sections) {
    const words = find(section, `tabs.${id}`)
    if (words !== undefined) return words
  }
  return readable(id)
}

function find({ owners, parts }: SettingsSection, key: string): string | undefined {
  const others = new Set([...owners.values(), ...parts.map(({ owner }) => owner)])
  // The title of this page is not that of a section.
  const namespaces = key === 'title' ? [...others] : ['settings', ...others]
  for (const namespace of namespaces) {
    const t = textsOf(namespace)
    if (t.has(key)) return t(key)
  }
  return undefined
}

function readable(id: string): string {
  const words = id.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
