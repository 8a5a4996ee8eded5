import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { CopyButton } from './copy.tsx'
import { IconButton } from '../icon-button.tsx'

/** A masked key (`sk-ab…9f`) with buttons to reveal and to copy it. */
export function SecretText({ text, message }: { text: string; message?: string }) {
  const t = useTexts()
  const [isShown, setShown] = useState(false)
  return (
    <span className={isShown ? 'secret-text is-shown' : 'secret-text'}>
      <code>{isShown ? text : maskSecret(text)}</code>
      <IconButton
        size="mini"
        icon={isShown ? <IconEyeInvisible /> : <IconEye />}
        label={isShown ? t('secret.hide') : t('secret.show')}
        onClick={(event) => {
          event.stopPropagation()
          setShown(!isShown)
        }}
      />
      <CopyButton text={text} message={message} />
    </span>
  )
}

export function maskSecret(text: string): string {
  const prefix = /^sk-/.exec(text)?.[0] ?? ''
  const rest = text.slice(prefix.length)
  return rest.length <= 6 ? `${prefix}…` : `${prefix}${rest.slice(0, 2)}…${rest.slice(-2)}`
}
