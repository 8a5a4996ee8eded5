import { IconUser } from '@arco-design/web-react/icon'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import type { Owned, SignInMethod } from '../registry/console-plugin.ts'
import { useRegistry } from '../registry/registry.ts'
import type { Language } from '../stores/preferences.ts'
import { useStatus } from '../stores/status.ts'
import { titlesOf } from '../texts/use-texts.ts'

/** A row of `sign_in_methods` in GET /api/status. */
interface ServerMethod {
  id: string
  kind: 'redirect' | 'direct'
  name: { en: string; zh: string }
  creates_accounts: boolean
}

export interface ShownMethod {
  id: string
  name: string
  icon: ComponentType
  createsAccounts: boolean
  /** The plugin's part of the console; a method without one opens the provider's page. */
  part: Owned<SignInMethod> | undefined
}

/** Methods that plugins draw stand in their order, those that only the server knows after them. */
const LAST = 1000

/** The ways to sign in beside the password, in the order of their buttons. */
export function useSignInMethods(): readonly ShownMethod[] {
  // Not the one that was just chosen: its texts are still on their way.
  const language = useTranslation().i18n.language as Language
  const parts = useRegistry((registry) => registry.signInMethods)
  const status = useStatus()
  const listed = (status?.['sign_in_methods'] ?? []) as readonly ServerMethod[]
  const ofServer = listed.flatMap(({ id, kind, name, creates_accounts: createsAccounts }) => {
    const part = parts.find((one) => one.id === id)
    // Nothing leads on from a method whose proof comes from a widget that is not there.
    if (kind === 'direct' && !part?.load) return []
    return [{ id, name: name[language], icon: part?.icon ?? IconUser, createsAccounts, part }]
  })
  const ownOnly = parts.filter(
    ({ id, load, isEnabled }) =>
      load && !listed.some((one) => one.id === id) && status && isEnabled?.(status),
  )
  const others = ownOnly.map((part) => ({
    id: part.id,
    name: part.label === undefined ? part.id : titlesOf(part.owner, language)(part.label),
    icon: part.icon ?? IconUser,
    createsAccounts: false,
    part,
  }))
  const place = ({ part }: ShownMethod) => part?.order ?? LAST
  return [...ofServer, ...others].sort((a, b) => place(a) - place(b))
}
