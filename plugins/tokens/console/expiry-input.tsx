import { Button } from '@arco-design/web-react'
import { useRef } from 'react'
import { MomentInput, useTexts } from '#console'
import { expiryOf } from './token-form.ts'

const shortcuts = [
  { key: 'never', seconds: undefined },
  { key: 'hour', seconds: 3600 },
  { key: 'day', seconds: 86_400 },
  { key: 'month', seconds: 30 * 86_400 },
] as const

/** A moment in Unix seconds, or never; NaN: something was typed that is no time. */
export function ExpiryInput({
  id,
  value,
  onChange,
}: {
  id?: string
  value?: number
  onChange?: (seconds: number | undefined) => void
}) {
  const t = useTexts('tokens')
  // Arco forgets typed text that was not confirmed in its panel, before the field is even left.
  const typed = useRef<string>(undefined)
  const takeTyped = () => {
    if (typed.current === undefined) return
    onChange?.(expiryOf(typed.current))
    typed.current = undefined
  }
  const choose = (seconds: number | undefined) => {
    typed.current = undefined
    onChange?.(seconds)
  }
  return (
    <div
      className="expiry-input"
      onInputCapture={({ target }) => {
        typed.current = (target as HTMLInputElement).value
      }}
      onBlurCapture={takeTyped}
    >
      <MomentInput
        id={id}
        label={t('field.expires')}
        value={value}
        onChange={choose}
        none={t('never')}
      />
      <div className="expiry-shortcuts" role="group" aria-label={t('shortcut.label')}>
        {shortcuts.map(({ key, seconds }) => (
          <Button
            key={key}
            size="mini"
            onClick={() =>
              choose(seconds === undefined ? undefined : Math.floor(Date.now() / 1000) + seconds)
            }
          >
            {t(`shortcut.${key}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}
