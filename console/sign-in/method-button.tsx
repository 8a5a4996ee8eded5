import { Button } from '@arco-design/web-react'
import type { ComponentType } from 'react'
import { useAction } from '../api/use-action.ts'
import { usePreferences } from '../stores/preferences.ts'
import { useTexts } from '../texts/use-texts.ts'
import { nameInSentence } from './name-in-sentence.ts'

export interface MethodButtonProps {
  name: string
  icon: ComponentType
  onPress: () => Promise<unknown> | void
  /** Holds the place of a button that is on its way. */
  isDisabled?: boolean
}

/** One way to sign in: a wide quiet button with the provider's mark. */
export function MethodButton({ name, icon: Icon, onPress, isDisabled }: MethodButtonProps) {
  const t = useTexts()
  const { language } = usePreferences()
  const [press, isRunning] = useAction(async () => onPress())
  return (
    <Button
      long
      size="large"
      className="method-button"
      loading={isRunning}
      disabled={isDisabled ?? false}
      icon={<Icon />}
      onClick={() => void press()}
    >
      {t('signIn.with', { name: nameInSentence(name, language) })}
    </Button>
  )
}
