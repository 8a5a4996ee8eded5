import { IconUser } from '@arco-design/web-react/icon'
import { type ReactNode, Suspense } from 'react'
import { useData } from '../api/use-data.ts'
import { Loaded } from '../kit/loaded.tsx'
import { EmptyState } from '../kit/states.tsx'
import type { AccountBinding, Owned } from '../registry/console-plugin.ts'
import { useRegistry } from '../registry/registry.ts'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { componentOf } from '../registry/owned-component.ts'
import { useStatus } from '../stores/status.ts'
import { useTexts } from '../texts/use-texts.ts'
import { type Identity, IdentityRow } from './identity-row.tsx'
import './sign-in.css'

interface Row {
  id: string
  owner: string
  order: number
  content: ReactNode
}

const LAST = 1000

/** The ways to sign in beside the password, each of which can be bound and unbound. Without a card around it. */
export function AccountBindings() {
  const found = useData<Identity[]>('/api/user/identities')
  const onDone = () => void found.refresh()
  return <Loaded from={found}>{(all) => <AllBindings found={all} onDone={onDone} />}</Loaded>
}

function AllBindings({ found, onDone }: { found: readonly Identity[]; onDone: () => void }) {
  const t = useTexts()
  const methods = useRegistry((registry) => registry.signInMethods)
  const bindings = useOwnBindings()
  const identities = found.map((identity): Row => {
    const method = methods.find(({ id }) => id === identity.provider)
    const content = (
      <IdentityRow
        identity={identity}
        method={method}
        icon={method?.icon ?? IconUser}
        onDone={onDone}
      />
    )
    const { provider: id } = identity
    return { id, owner: method?.owner ?? id, order: method?.order ?? LAST, content }
  })
  const own = bindings.map(toRow)
  const rows = [...identities, ...own].sort((a, b) => a.order - b.order)
  if (rows.length === 0) return <EmptyState title={t('bindings.none')} />
  return <Rows rows={rows} />
}

/** Only those that are second factors too. Renders nothing if there are none. */
export function FactorBindings() {
  const rows = useOwnBindings()
    .filter(({ isFactor }) => isFactor)
    .map(toRow)
  return rows.length === 0 ? null : <Rows rows={rows} />
}

function useOwnBindings(): readonly Owned<AccountBinding>[] {
  const status = useStatus()
  const bindings = useRegistry((registry) => registry.bindings)
  return bindings.filter(({ isVisible }) => !isVisible || (status && isVisible(status)))
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="binding-rows">
      {rows.map(({ id, owner, content }) => (
        <PluginBoundary key={id} owner={owner}>
          <Suspense>{content}</Suspense>
        </PluginBoundary>
      ))}
    </ul>
  )
}

function toRow(binding: Owned<AccountBinding>): Row {
  const Content = componentOf(binding)
  return { id: binding.id, owner: binding.owner, order: binding.order, content: <Content /> }
}
