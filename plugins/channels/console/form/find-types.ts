import { groupBy } from '#console'
import type { ChannelType } from '../channel-types.ts'

const sections = ['popular', 'self-hosted', 'china', 'media', 'other'] as const
export type Section = (typeof sections)[number]

export interface TypeSection {
  section: Section
  types: ChannelType[]
}

/** The types that a search means, section by section; names in every language, other names, makers and addresses count. */
export function findTypes(types: readonly ChannelType[], search: string): TypeSection[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = types.filter((type) => {
    const text = wordsOf(type)
    return words.every((word) => text.includes(word))
  })
  const bySection = groupBy(found, ({ section }): Section => section ?? 'other')
  return sections.flatMap((section) => {
    const inIt = bySection.get(section)
    return inIt ? [{ section, types: inIt }] : []
  })
}

function wordsOf({ name, zh, aliases, adapter, summary, base_url }: ChannelType): string {
  return [name, zh ?? '', ...aliases, adapter, summary, base_url].join('\n').toLowerCase()
}
