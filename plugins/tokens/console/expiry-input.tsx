import { Button } from '@arco-design/web-react'
import { MomentInput, useTexts } from '#console'

const shortcuts = [
  { key: 'never', seconds: undefined },
  { key: 'hour', seconds: 3600 },
  { key: 'day', seconds: 86_400 },
  { key: 'month', seconds: 30 * 86_400 },
] as const

/** A moment in Unix seconds, or never. */
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
  return (
    <div className="preset-input">
      <MomentInput
        id={id}
        label={t('field.expires')}
        value={value}
        onChange={onChange}
        none={t('never')}
      />
      <div className="preset-buttons" role="group" aria-label={t('shortcut.label')}>
        {shortcuts.map(({ key, seconds }) => (
          <Button
            key={key}
            size="mini"
            onClick={() =>
              onChange?.(
                seconds === undefined ? undefined : Math.floor(Date.now() / 1000) + seconds,
              )
            }
          >
            {t(`shortcut.${key}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}
