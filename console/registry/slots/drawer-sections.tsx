import { createElement, Suspense } from 'react'
import { FormSection } from '../../kit/forms/field.tsx'
import { mayAccess, useSession } from '../../stores/session.ts'
import { titlesOf, useTexts } from '../../texts/use-texts.ts'
import type { DrawerSection, Owned, SlotRecord } from '../console-plugin.ts'
import { componentOf } from '../owned-component.ts'
import { useRegistry } from '../registry.ts'
import { type FaultProps, SlotBoundary } from './slot-boundary.tsx'

/** The name of the drawer and its record. Without a record nothing is added. */
export interface DrawerSlot {
  id: string
  record: object | undefined
}

/** The sections that other plugins add below the form of a drawer. Each reads and saves its own data. */
export function DrawerSections({
  slot: { id, record },
  onChanged,
}: {
  slot: DrawerSlot
  onChanged(section: string, hasChanges: boolean): void
}) {
  const drawers = useRegistry((registry) => registry.drawers)
  const user = useSession((session) => session.user)
  if (!record) return null
  const shown = record as SlotRecord
  const isHere = ({ drawer, access, isVisible }: DrawerSection) =>
    drawer === id &&
    (access === undefined || mayAccess(user, access)) &&
    isVisible?.(shown) !== false
  const sections = drawers
    .filter(isHere)
    .map((section) => (
      <Section
        key={`${section.owner} ${section.id}`}
        section={section}
        record={shown}
        onChanged={(hasChanges) => onChanged(`${section.owner} ${section.id}`, hasChanges)}
      />
    ))
  return <div className="drawer-sections">{sections}</div>
}

interface SectionProps {
  section: Owned<DrawerSection>
  record: SlotRecord
  onChanged(hasChanges: boolean): void
}

function Section({ section, record, onChanged }: SectionProps) {
  const { owner, title } = section
  const heading = titlesOf(owner)(title)
  return (
    <SlotBoundary owner={owner} title={heading} instead={FailedSection}>
      {/* Renders nothing until its code is loaded, so a slow plugin does not delay the drawer. */}
      <Suspense fallback={null}>
        <FormSection title={heading}>
          {createElement(componentOf(section), { record, onChanged })}
        </FormSection>
      </Suspense>
    </SlotBoundary>
  )
}

function FailedSection({ owner, message, title }: FaultProps) {
  const t = useTexts()
  return (
    <FormSection title={title}>
      <p className="tone-danger" role="alert">
        {t('error.screen', { owner, message })}
      </p>
    </FormSection>
  )
}
