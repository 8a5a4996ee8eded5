import { Button } from '@arco-design/web-react'
import type { ComponentType } from 'react'
import { useAction } from '../api/use-action.ts'
import { useTexts } from '../texts/use-texts.ts'

export interface MethodButtonProps {
  name: string
  icon: ComponentType
  onPress: () => Promise<unknown> | void
}

/** One way to sign in: a wide quiet button with the provider's mark. */
export function MethodButton({ name, icon: Icon, onPress }: MethodButtonProps) {
  const t = useTexts()
  const [press, isRunning] = useAction(async () => onPress())
  return (
    <Button
      long
      size="large"
      className="method-button"
      loading={isRunning}
      icon={<Icon />}
      onClick={() => void press()}
    >
      {t('signIn.with', { name })}
    </Button>
  )
}
