import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import {
  LeaveGuard,
  Loaded,
  Page,
  Tabs,
  useData,
  useLeaveQuestion,
  useOptions,
  useRegistry,
  useTexts,
} from '#console'
import {
  arrangeSettings,
  firstTab,
  type OptionGroup,
  placeOf,
  type SettingsSection,
  type SettingsTab,
} from './arrange-settings.ts'
import type { SectionAction } from './section-actions.tsx'
import { SectionCard } from './section-card.tsx'
import { keysOf, sectionTitle, tabTitle } from './section-words.ts'
import './settings.css'

export default function SettingsScreen() {
  const t = useTexts('settings')
  const parts = useRegistry(({ settings }) => settings)
  const groups = useData<OptionGroup[]>('/api/option/schema')
  // Loaded before the cards are shown, so that their height is final when the URL's hash scrolls to one of them.
  const options = useOptions()
  const actions = useData<SectionAction[]>('/api/option/actions')
  const error = groups.error ?? options.error
  const refresh = async () => {
    await Promise.all([groups.refresh(), options.refresh()])
  }
  const tabs = useMemo(() => arrangeSettings(groups.data ?? [], parts), [groups.data, parts])
  return (
    <Page title={t('title')} hint={t('hint')} width="text">
      <Loaded from={{ data: options.values && groups.data, error, refresh }}>
        {() => <SettingsTabs tabs={tabs} actions={actions.data ?? []} />}
      </Loaded>
    </Page>
  )
}

function SettingsTabs({
  tabs,
  actions,
}: {
  tabs: readonly SettingsTab[]
  actions: readonly SectionAction[]
}) {
  const t = useTexts('settings')
  const [search, navigateTo] = useSearchParams()
  const plugin = search.get('plugin')
  const place = plugin === null ? undefined : placeOf(tabs, plugin)
  const section = place?.section
  useEffect(() => {
    if (section !== undefined) showSection(section)
  }, [section])
  const wanted = place?.tab ?? search.get('tab') ?? firstTab
  const active = tabs.find(({ id }) => id === wanted) ?? tabs[0]
  if (!active) return null
  return (
    <Tabs
      label={t('tabs.label')}
      active={active.id}
      // The query parameters of one tab's sections are dropped when switching to another tab.
      onChange={(id) => navigateTo(id === firstTab ? {} : { tab: id })}
      items={tabs.map((tab) => ({
        id: tab.id,
        title: tabTitle(tab),
        content: <SettingsSections key={tab.id} sections={tab.sections} actions={actions} />,
      }))}
    />
  )
}

function SettingsSections({
  sections,
  actions,
}: {
  sections: readonly SettingsSection[]
  actions: readonly SectionAction[]
}) {
  const { hasChanges, setChanged } = useLeaveQuestion()
  // The router allows only one blocker at a time, and drawers inside the page use their own.
  const [isDirty, setDirty] = useState(false)
  const changed = useRef(new Set<string>())
  const onChanged = useCallback(
    (id: string, isChanged: boolean) => {
      if (isChanged) changed.current.add(id)
      else changed.current.delete(id)
      setChanged(changed.current.size > 0)
      setDirty(changed.current.size > 0)
    },
    [setChanged],
  )
  useScrollToHash()
  return (
    <div className="settings">
      {isDirty ? <LeaveGuard hasChanges={hasChanges} /> : null}
      {sections.length > 2 ? <SectionIndex sections={sections} /> : null}
      <div className="settings-sections">
        {sections.map((section) => (
          <SectionCard
            key={section.id}
            section={section}
            actions={actionsIn(section, actions)}
            onChanged={onChanged}
          />
        ))}
      </div>
    </div>
  )
}

/** An action is shown in the card of the first option that it tests. */
function actionsIn(section: SettingsSection, actions: readonly SectionAction[]): SectionAction[] {
  const keys = keysOf(section)
  return actions.filter(({ options: [first = ''] }) => keys.includes(first))
}

/** Links to the sections of a long tab; not shown on phones. */
function SectionIndex({ sections }: { sections: readonly SettingsSection[] }) {
  const t = useTexts('settings')
  return (
    <nav className="settings-index" aria-label={t('sectionsLabel')}>
      {sections.map((section) => (
        <button key={section.id} type="button" onClick={() => showSection(section.id)}>
          {sectionTitle(section)}
        </button>
      ))}
    </nav>
  )
}

/** Links on other pages may name a section: `/setting?tab=operation#prices`. */
function useScrollToHash(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash) showSection(hash.slice(1))
  }, [hash])
}

function showSection(id: string): void {
  const card = document.getElementById(`section-${id}`)
  card?.scrollIntoView({ block: 'start' })
  card?.focus({ preventScroll: true })
}
