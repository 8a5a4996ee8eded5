import { useCallback } from 'react'
import { OptionForm, SettingsSlot, useStatusStore, useTexts } from '#console'
import type { SettingsSection } from './arrange-settings.ts'
import { sectionHint, sectionTitle } from './section-words.ts'

/** One card: the fields with their button, then the parts that plugins add. */
export function SectionCard({
  section,
  onChanged,
}: {
  section: SettingsSection
  onChanged(id: string, hasChanges: boolean): void
}) {
  // The language is part of what is drawn.
  useTexts('settings')
  const reloadStatus = useStatusStore(({ load }) => load)
  const { id, owners, schema, parts } = section
  const hint = sectionHint(section)
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
      </header>
      {owners.size > 0 ? (
        <OptionForm
          schema={schema}
          namespace={(key) => namespaceOf(owners.get(key))}
          onChanged={onFields}
          // Name, logo, currency and the like are on the screen already.
          onSaved={() => void reloadStatus().catch(() => undefined)}
        />
      ) : null}
      {parts.map((part) => (
        <div className="settings-part" key={`${part.owner} ${part.id}`}>
          <SettingsSlot part={part} onChanged={onParts} />
        </div>
      ))}
    </section>
  )
}

/** Core has no texts for screens: this page speaks for its options. */
function namespaceOf(owner: string | undefined): string {
  return owner === undefined || owner === 'core' ? 'settings' : owner
}
