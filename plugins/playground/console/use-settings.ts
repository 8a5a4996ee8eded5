import { useCallback, useMemo, useState } from 'react'
import {
  exampleModelOf,
  type GroupFacts,
  type Texts,
  useOwnGroups,
  useOwnModels,
  useSession,
} from '#console'
import type { Settings } from './request.ts'
import { readSettings, writeSettings } from './stored.ts'

const defaultModel = 'gpt-4o-mini'
const defaultGroup = 'default'

export interface Offer {
  groups: readonly ({ name: string } & GroupFacts)[]
  models: readonly string[]
  isLoading: boolean
  error: string | undefined
  /** Asks again for what failed. */
  retry(): void
}

/** The available choices and the current ones. A choice that is no longer available falls back to the first. */
export function useSettings(t: Texts) {
  const user = useSession((session) => session.user)
  const userId = user?.id ?? 0
  const [chosen, setChosen] = useState<Partial<Settings>>(() => readSettings(userId))
  const groups = useOwnGroups()
  const offered = useMemo(
    () => Object.entries(groups.data ?? {}).map(([name, group]) => ({ name, ...group })),
    [groups.data],
  )
  const names = offered.map(({ name }) => name)
  const group = firstOf([chosen.group, defaultGroup, user?.group], names)
  // Each group has channels of its own.
  const models = useOwnModels({ group, isEnabled: groups.data !== undefined })
  const offer: Offer = {
    groups: offered,
    models: models.data ?? [],
    isLoading: groups.isLoading || (models.isLoading && groups.data !== undefined),
    error: (groups.error ?? models.error)?.message,
    retry: () => void (groups.error ? groups : models).refresh(),
  }
  const change = useCallback(
    (changes: Partial<Settings>) =>
      setChosen((old) => {
        const next = { ...old, ...changes }
        writeSettings(userId, next)
        return next
      }),
    [userId],
  )
  const settings: Settings = {
    group,
    model: firstOf([chosen.model, exampleModelOf(offer.models, defaultModel)], offer.models),
    temperature: within(chosen.temperature, 0.1, 1, 1),
    max_tokens: within(chosen.max_tokens, 0, 1_000_000_000, 0),
    system: chosen.system ?? t('settings.systemDefault'),
  }
  return { settings, change, offer }
}

function firstOf(wanted: readonly (string | undefined)[], offered: readonly string[]): string {
  return wanted.find((name) => name !== undefined && offered.includes(name)) ?? offered[0] ?? ''
}

function within(value: number | undefined, least: number, most: number, fallback: number): number {
  return value !== undefined && value >= least && value <= most ? value : fallback
}
