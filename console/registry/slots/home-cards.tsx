import { createElement, Suspense } from 'react'
import { mayAccess, useSession } from '../../stores/session.ts'
import { useStatus } from '../../stores/status.ts'
import { componentOf } from '../owned-component.ts'
import { useRegistry } from '../registry.ts'
import { SlotBoundary } from './slot-boundary.tsx'

/** Cards of plugins on the home page. A card that fails or is not loaded in time is not shown to visitors. */
export function HomeCards({ place }: { place: 'above' | 'below' }) {
  const all = useRegistry((registry) => registry.home)
  const user = useSession((session) => session.user)
  const status = useStatus()
  const shown = all.filter(
    (card) =>
      (card.place ?? 'below') === place &&
      (card.access === undefined || mayAccess(user, card.access)) &&
      card.isVisible?.({ user, status }) !== false,
  )
  return shown.map((card) => (
    <SlotBoundary key={`${card.owner} ${card.id}`} owner={card.owner}>
      <Suspense fallback={null}>{createElement(componentOf(card))}</Suspense>
    </SlotBoundary>
  ))
}
