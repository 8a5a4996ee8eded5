import { useEffect } from 'react'
import { type Data, type FieldSchema, useData, usePreferences, writeStored } from '#console'

interface Text {
  en: string
  zh: string
}

/** One type as the server's adapters describe it. */
export interface ChannelType {
  type: number
  name: string
  zh: string | null
  section: 'popular' | 'self-hosted' | 'china' | 'media' | null
  aliases: string[]
  adapter: string
  summary: string
  base_url: string
  models: string[]
  form: {
    key?: Text
    baseUrl?: { required?: boolean; help?: Text }
    other?: { label: Text; required?: boolean; help?: Text; default?: string }
    isMultilineKey?: boolean
  }
  settings: FieldSchema | null
  is_testable: boolean
  has_balance: boolean
}

const none: readonly ChannelType[] = []

/** The types that can be chosen; adapters that are off are not among them. */
export function useLoadedTypes(): Data<ChannelType[]> {
  return useData<ChannelType[]>('/api/channel/types', { staleMs: 60_000 })
}

/** As `useLoadedTypes`; none while they load. */
export function useChannelTypes(): readonly ChannelType[] {
  return useLoadedTypes().data ?? none
}

/** The settings that channels of every type have; undefined while they load. */
export function useCommonSettings(): FieldSchema | undefined {
  return useData<FieldSchema>('/api/channel/settings', { staleMs: 60_000 }).data
}

/** Picks the words of the reader's language. */
export function useWords(): (text: Text | undefined) => string | undefined {
  const language = usePreferences((preferences) => preferences.language)
  return (text) => text?.[language]
}

export function typeName(types: readonly ChannelType[], type: number, language: string): string {
  const found = types.find((entry) => entry.type === type)
  return found ? nameOfType(found, language) : `#${type}`
}

export function nameOfType({ name, zh }: ChannelType, language: string): string {
  return (language === 'zh' && zh) || name
}

/** Channel type, as text, to the models it is known to have; other consoles of this API read them from local storage. */
export function useModelsByType(): Readonly<Record<string, string[]>> {
  const { data } = useData<Record<string, string[]>>('/api/models', { staleMs: 60_000 })
  useEffect(() => {
    if (data) writeStored('channel_models', JSON.stringify(data))
  }, [data])
  return data ?? noModels
}

const noModels: Readonly<Record<string, string[]>> = {}

/** The tags that channels have. */
export function useTags(): Data<string[]> {
  return useData<string[]>('/api/channel/tags')
}
