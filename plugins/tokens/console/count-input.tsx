import { Button } from '@arco-design/web-react'
import { NumberInput, useTexts } from '#console'

const presets = [10, 20, 30, 100] as const

/** How many tokens are created together. */
export function CountInput(props: {
  id?: string
  value?: number
  onChange?: (count: number | undefined) => void
}) {
  const t = useTexts('tokens')
  return (
    <div className="preset-input">
      <NumberInput {...props} min={1} max={1000} precision={0} />
      <div className="preset-buttons" role="group" aria-label={t('counts')}>
        {presets.map((count) => (
          <Button key={count} size="mini" onClick={() => props.onChange?.(count)}>
            {count}
          </Button>
        ))}
      </div>
    </div>
  )
}
