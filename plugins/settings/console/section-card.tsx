import { useCallback } from 'react'
import { OptionForm, SettingsSlot, useStatusStore, useTexts } from '#console'
import type { SettingsSection } from './arrange-settings.ts'
import { HistoryButton } from './history-panel.tsx'
import { type SectionAction, SectionActions } from './section-actions.tsx'
import { keysOf, namespaceOf, sectionHint, sectionTitle } from './section-words.ts'

const nothing = {}

/** The card of a section: its fields with the save button, then the parts that plugins add. */
export function SectionCard({
  section,
  actions,
  onChanged,
}: {
  section: SettingsSection
  /** The actions of this card. */
  actions: readonly SectionAction[]
  onChanged(id: string, hasChanges: boolean): void
}) {
  // Texts depend on the language, so a change of it must render again.
  useTexts('settings')
  const reloadStatus = useStatusStore(({ load }) => load)
  const { id, owners, schema, parts } = section
  const hint = sectionHint(section)
  // Name, logo, currency and the like are visible elsewhere on the screen, too.
  const onSaved = () => void reloadStatus().catch(() => undefined)
  const onFields = useCallback((isChanged: boolean) => onChanged(id, isChanged), [id, onChanged])
  const onParts = useCallback(
    (isChanged: boolean) => onChanged(`${id} part`, isChanged),
    [id, onChanged],
  )
  return (
    <section className="card" id={`section-${id}`} aria-labelledby={`title-${id}`} tabIndex={-1}>
      <header className="card-head">
        <div>
          <h2 id={`title-${id}`}>{sectionTitle(section)}</h2>
          {hint ? <p>{hint}</p> : null}
        </div>
        {keysOf(section).length > 0 ? (
          <HistoryButton section={section} onRolledBack={onSaved} />
        ) : null}
      </header>
      {owners.size > 0 ? (
        <OptionForm
          schema={schema}
          namespace={(key) => namespaceOf(owners.get(key))}
          onChanged={onFields}
          onSaved={onSaved}
        >
          {(typed) => <SectionActions actions={actions} typed={typed} />}
        </OptionForm>
      ) : (
        <SectionActions actions={actions} typed={nothing} />
      )}
      {parts.map((part) => (
        <div className="settings-part" key={`${part.owner} ${part.id}`}>
          <SettingsSlot part={part} onChanged={onParts} />
        </div>
      ))}
    </section>
  )
}
