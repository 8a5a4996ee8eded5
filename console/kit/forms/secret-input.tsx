import { Button } from '@arco-design/web-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { GrowingText } from '../growing-text.tsx'
import { PasswordInput } from './password-input.tsx'

export interface SecretInputProps {
  id?: string
  /** The typed text; '' if the stored secret is to be removed. The stored one is never in the browser. */
  value?: string | undefined
  onChange?: (text: string | undefined) => void
  /** Whether the server has a secret stored. */
  isSet: boolean
  /** A text of several lines, which is shown while it is typed. */
  isLong?: boolean
  placeholder?: string | undefined
  disabled?: boolean
}

/** Input for a secret: shows whether one is stored, and replaces it only on request. It shows no dots in place of a
 *  value that it does not have. */
export function SecretInput({
  id,
  value,
  onChange,
  isSet,
  isLong,
  placeholder,
  disabled,
}: SecretInputProps) {
  const t = useTexts()
  const input = {
    id,
    value: value ?? '',
    onChange: (text: string) => onChange?.(text === '' ? undefined : text),
    placeholder: placeholder ?? (isSet ? undefined : t('secret.notSet')),
    disabled,
  }
  const [isReplacing, setReplacing] = useState(false)
  if (isSet && value === '')
    return (
      <div className="secret-input">
        <span>{t('secret.removed')}</span>
        <Button id={id} size="small" onClick={() => onChange?.(undefined)}>
          {t('cancel')}
        </Button>
      </div>
    )
  if (isSet && !isReplacing)
    return (
      <div className="secret-input">
        <span>{t('secret.set')}</span>
        <Button id={id} size="small" disabled={disabled} onClick={() => setReplacing(true)}>
          {t('secret.replace')}
        </Button>
        <Button size="small" disabled={disabled} onClick={() => onChange?.('')}>
          {t('secret.remove')}
        </Button>
      </div>
    )
  return (
    <div className="secret-input">
      {isLong ? (
        <GrowingText {...input} className="code" minRows={2} maxRows={12} spellCheck={false} />
      ) : (
        <PasswordInput {...input} autoComplete="new-password" />
      )}
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
