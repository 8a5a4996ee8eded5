import { useState } from 'react'
import { readStored, Toggle, useTexts, writeStored } from '#console'

export interface ListModes {
  isByTag: boolean
  isById: boolean
}

const keys = { isByTag: 'enable-tag-mode', isById: 'id-sort' } as const

/** How an admin likes to see the list; outlives the page. */
export function useListModes(): [ListModes, (changes: Partial<ListModes>) => void] {
  const [modes, setModes] = useState<ListModes>(() => ({
    isByTag: readStored(keys.isByTag) === 'true',
    isById: readStored(keys.isById) === 'true',
  }))
  const change = (changes: Partial<ListModes>) => {
    const next = { ...modes, ...changes }
    writeStored(keys.isByTag, String(next.isByTag))
    writeStored(keys.isById, String(next.isById))
    setModes(next)
  }
  return [modes, change]
}

export function ModeToggles({
  modes,
  onChange,
}: {
  modes: ListModes
  onChange: (changes: Partial<ListModes>) => void
}) {
  const t = useTexts('channels')
  return (
    <div className="channel-modes">
      <label>
        <Toggle
          size="small"
          label={t('mode.byTag')}
          checked={modes.isByTag}
          onChange={(isByTag) => onChange({ isByTag })}
        />
        <span aria-hidden>{t('mode.byTag')}</span>
      </label>
      <label>
        <Toggle
          size="small"
          label={t('mode.byId')}
          checked={modes.isById}
          onChange={(isById) => onChange({ isById })}
        />
        <span aria-hidden>{t('mode.byId')}</span>
      </label>
    </div>
  )
}
