import type { FieldSchema, Owned, SettingsPart } from '#console'

/** The options of one owner: a row of GET /api/option/schema. */
export interface OptionGroup {
  owner: string
  schema: FieldSchema
}

export interface SettingsSection {
  id: string
  /** Fields of the card, in order. */
  schema: FieldSchema
  /** The plugin that declares each field, whose locale has its texts. */
  owners: ReadonlyMap<string, string>
  parts: readonly Owned<SettingsPart>[]
}

export interface SettingsTab {
  id: string
  sections: readonly SettingsSection[]
}

/** The order of known tabs and sections; others follow in the order of their declaration. */
const knownSections: Readonly<Record<string, readonly string[]>> = {
  operation: [
    'general',
    'drawing',
    'words',
    'logs',
    'dashboard',
    'monitoring',
    'quota',
    'prices',
    'groups',
    'tools',
    'chats',
  ],
  ratelimit: ['models'],
  models: ['global', 'gemini', 'claude'],
  system: ['address', 'worker', 'payment', 'sign-in', 'email', 'mail'],
  other: ['version', 'notice', 'branding', 'pages'],
}

export const firstTab = 'operation'
/** The place of options that name no tab. */
const tabOfPlugins = 'plugins'
const middle = 50

interface Place {
  tab: string
  section: string
}

type Entry = Place & { key: string; owner: string; field: FieldSchema; order: number }

/** Arranges the options of core and plugins in tabs and sections, whoever declares them. */
export function arrangeSettings(
  groups: readonly OptionGroup[],
  parts: readonly Owned<SettingsPart>[],
): SettingsTab[] {
  const drawnByParts = new Set(parts.flatMap(({ options = [] }) => options))
  const entries = groups.flatMap(entriesOf).filter(({ key }) => !drawnByParts.has(key))
  const places: Place[] = [...entries, ...parts]
  const tabs = sortedBy(unique(places.map(({ tab }) => tab)), Object.keys(knownSections))
  return tabs.map((tab) => ({
    id: tab,
    sections: sortedBy(
      unique(places.filter((place) => place.tab === tab).map(({ section }) => section)),
      knownSections[tab] ?? [],
    ).map((section) => {
      const isHere = (place: Place) => place.tab === tab && place.section === section
      return sectionOf(section, entries.filter(isHere), parts.filter(isHere))
    }),
  }))
}

/** The place of a plugin's first option, for links that only have the plugin's id. */
export function placeOf(tabs: readonly SettingsTab[], owner: string): Place | undefined {
  for (const { id, sections } of tabs) {
    const section = sections.find(
      ({ owners, parts }) =>
        [...owners.values()].includes(owner) || parts.some((part) => part.owner === owner),
    )
    if (section) return { tab: id, section: section.id }
  }
  return undefined
}

function entriesOf({ owner, schema }: OptionGroup): Entry[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, field]) => !field['x-ui']?.hidden)
    .map(([key, field]) => {
      const { tab = tabOfPlugins, section = owner, order = middle } = field['x-ui'] ?? {}
      return { key, owner, field, tab, section, order }
    })
}

function sectionOf(
  id: string,
  entries: readonly Entry[],
  parts: readonly Owned<SettingsPart>[],
): SettingsSection {
  const sorted = entries.toSorted((a, b) => a.order - b.order)
  return {
    id,
    parts,
    owners: new Map(sorted.map(({ key, owner }) => [key, owner])),
    schema: {
      type: 'object',
      properties: Object.fromEntries(sorted.map(({ key, field }) => [key, field])),
    },
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** Sorts the items named in `first` to the front, in that order. */
function sortedBy(names: readonly string[], first: readonly string[]): string[] {
  const rank = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length)
  return names.toSorted((a, b) => rank(a) - rank(b))
}
