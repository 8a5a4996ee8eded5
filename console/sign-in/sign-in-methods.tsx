import { createElement, Suspense } from 'react'
import { PluginBoundary } from '../registry/plugin-boundary.tsx'
import { componentOf } from '../registry/owned-component.ts'
import { useTexts } from '../texts/use-texts.ts'
import { MethodButton } from './method-button.tsx'
import { type ShownMethod, useSignInMethods } from './methods.ts'
import './sign-in.css'
import { startSignIn } from './start-sign-in.ts'

/** The buttons of all ways to sign in that plugins bring, under a rule that says "or"; nothing when there are none. */
export function SignInMethods({
  hasRule = true,
  isForNewcomers = false,
}: {
  hasRule?: boolean
  /** Only those that make an account. */
  isForNewcomers?: boolean
}) {
  const t = useTexts()
  const all = useSignInMethods()
  const methods = isForNewcomers ? all.filter(({ createsAccounts }) => createsAccounts) : all
  if (methods.length === 0) return null
  return (
    <div className="sign-in-methods">
      {hasRule ? <p className="sign-in-or">{t('signIn.or')}</p> : null}
      {methods.map((method) => (
        <Method key={method.id} {...method} />
      ))}
    </div>
  )
}

const stay = () => undefined

function Method({ id, name, icon, part }: ShownMethod) {
  const load = part?.load
  if (!load) return <MethodButton name={name} icon={icon} onPress={() => startSignIn(id)} />
  return (
    <PluginBoundary owner={part.owner} isSmall>
      {/* Of the same height, so that nothing moves when the own one comes; closed, so that no press is lost. */}
      <Suspense fallback={<MethodButton name={name} icon={icon} onPress={stay} isDisabled />}>
        {createElement(componentOf({ load, owner: part.owner }))}
      </Suspense>
    </PluginBoundary>
  )
}
