import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PasswordInput } from './password-input.tsx'

export interface SecretInputProps {
  id?: string
  /** The typed text. The stored secret is never in the browser. */
  value?: string
  onChange?: (text: string | undefined) => void
  /** Whether the server has a secret stored. */
  isSet: boolean
  disabled?: boolean
}

/** Input for a secret: shows whether one is stored, and replaces it only on request. It shows no dots in place of a
 *  value that it does not have. */
export function SecretInput({ id, value, onChange, isSet, disabled }: SecretInputProps) {
  const t = useTexts()
  const [isReplacing, setReplacing] = useState(false)
  if (isSet && !isReplacing) {
    return (
      <div className="secret-input">
        <span>{t('secret.set')}</span>
        <Button id={id} size="small" disabled={disabled} onClick={() => setReplacing(true)}>
          {t('secret.replace')}
        </Button>
      </div>
    )
  }
  return (
    <div className="secret-input">
      <PasswordInput
        id={id}
        value={value ?? ''}
        onChange={(text) => onChange?.(text === '' ? undefined : text)}
        placeholder={isSet ? undefined : t('secret.notSet')}
        autoComplete="new-password"
        disabled={disabled}
      />
      {isSet ? (
        <Button
          onClick={() => {
            onChange?.(undefined)
            setReplacing(false)
          }}
        >
          {t('cancel')}
        </Button>
      ) : null}
    </div>
  )
}
