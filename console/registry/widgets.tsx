import { createElement, Suspense, useMemo } from 'react'
import { Card } from '../kit/page.tsx'
import { Loading } from '../kit/states.tsx'
import { mayAccess, useSession } from '../stores/session.ts'
import { useStatus } from '../stores/status.ts'
import { titlesOf } from '../texts/use-texts.ts'
import type { Owned, Widget } from './console-plugin.ts'
import { builtInPlugins } from './discover.ts'
import { componentOf } from './owned-component.ts'
import { PluginBoundary } from './plugin-boundary.tsx'
import { useRegistry } from './registry.ts'

/** All widgets that the user may see, in order. A widget that fails does not affect the others. */
export function Widgets() {
  const all = useRegistry((registry) => registry.widgets)
  const user = useSession((session) => session.user)
  const status = useStatus()
  const shown = useMemo(
    () =>
      all.filter(
        ({ access = 'user', isVisible }) =>
          mayAccess(user, access) && isVisible?.({ user, status }) !== false,
      ),
    [all, user, status],
  )
  return (
    // Shown together, because one that arrives later would push the others down.
    <Suspense fallback={<Loading />}>
      <div className="widgets">
        {shown.map((widget) => (
          <div key={`${widget.owner}:${widget.id}`} className={`widget widget-${widget.size}`}>
            <PluginBoundary owner={widget.owner} title={titlesOf(widget.owner)(widget.title)}>
              <Awaited widget={widget} />
            </PluginBoundary>
          </div>
        ))}
      </div>
    </Suspense>
  )
}

/** A card of an external plugin may never arrive, so nothing waits for it; its room is reserved. */
function Awaited({ widget }: { widget: Owned<Widget> }) {
  const card = createElement(componentOf(widget))
  if (builtInPlugins()[widget.owner]) return card
  const waiting = (
    <Card title={titlesOf(widget.owner)(widget.title)}>
      <Loading />
    </Card>
  )
  return <Suspense fallback={waiting}>{card}</Suspense>
}
