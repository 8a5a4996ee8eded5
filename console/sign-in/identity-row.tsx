import { Button } from '@arco-design/web-react'
import { type ComponentType, createElement } from 'react'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { confirm } from '../kit/confirm.tsx'
import { toast } from '../kit/toast.ts'
import type { Owned, SignInMethod } from '../registry/console-plugin.ts'
import { componentOf } from '../registry/owned-component.ts'
import { usePreferences } from '../stores/preferences.ts'
import { useTexts } from '../texts/use-texts.ts'
import { BindingRow } from './binding-row.tsx'
import { nameInSentence } from './name-in-sentence.ts'
import { startSignIn } from './start-sign-in.ts'

/** A row of GET /api/user/identities. */
export interface Identity {
  provider: string
  name: { en: string; zh: string }
  kind: 'redirect' | 'direct'
  /** Empty: not bound. */
  subject: string
  is_enabled: boolean
}

interface Props {
  identity: Identity
  method: Owned<SignInMethod> | undefined
  onDone(): void
}

export function IdentityRow({ identity, method, icon, onDone }: Props & { icon: ComponentType }) {
  const t = useTexts()
  const { language } = usePreferences()
  const ownName = identity.name[language]
  const name = nameInSentence(ownName, language)
  const [unbind, isUnbinding] = useUnbind(identity.provider, name, onDone)
  const isBound = identity.subject !== ''
  return (
    <BindingRow
      icon={icon}
      name={ownName}
      state={isBound ? t('bindings.bound', { subject: identity.subject }) : t('bindings.notBound')}
    >
      {isBound ? (
        <Button
          loading={isUnbinding}
          aria-label={t('bindings.unbindTitle', { name })}
          onClick={() => void unbind()}
        >
          {t('bindings.unbind')}
        </Button>
      ) : (
        <BindButton {...{ identity, method, name, onDone }} />
      )}
    </BindingRow>
  )
}

function useUnbind(provider: string, name: string, onDone: () => void) {
  const t = useTexts()
  return useAction(async () => {
    const isSure = await confirm(() => ({
      title: t('bindings.unbindTitle', { name }),
      content: t('bindings.unbindText', { name }),
      confirmLabel: t('bindings.unbind'),
      isDanger: true,
    }))
    if (!isSure) return
    await api.post('/api/user/unbind', { provider })
    toast.success(t('bindings.unbound', { name }))
    onDone()
  })
}

function BindButton({ identity, method, name, onDone }: Props & { name: string }) {
  const t = useTexts()
  const [start, isStarting] = useAction(() => startSignIn(identity.provider))
  if (method?.loadBinding) {
    const part = { load: method.loadBinding, owner: method.owner }
    return createElement(componentOf(part), { name, onDone })
  }
  // Its proof comes from a part of the console that is not there.
  if (identity.kind === 'direct') return null
  return (
    <Button
      loading={isStarting}
      aria-label={t('bindings.bindTo', { name })}
      onClick={() => void start()}
    >
      {t('bindings.bind')}
    </Button>
  )
}
