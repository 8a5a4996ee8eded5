import { Input, type TextAreaProps } from '@arco-design/web-react'
import { type CSSProperties, useMemo } from 'react'

export interface GrowingTextProps extends Omit<TextAreaProps, 'autoSize' | 'rows' | 'className'> {
  className?: string
  minRows: number
  maxRows: number
}

/** A longer text fills any field that grows. Arco finds its height by laying it out once more with every key: 200 ms of a price table. */
const LONG_CHARACTERS = 5_000

/** A text of several lines, as high as it needs to be. */
export function GrowingText({ minRows, maxRows, ...props }: GrowingTextProps) {
  // Arco measures anew whenever the object is another one.
  const autoSize = useMemo(() => ({ minRows, maxRows }), [minRows, maxRows])
  const isLong = (props.value?.length ?? 0) > LONG_CHARACTERS
  if (!isLong) return <Input.TextArea {...props} autoSize={autoSize} />
  return (
    <Input.TextArea
      {...props}
      rows={maxRows}
      className={`growing-full ${props.className ?? ''}`}
      style={{ '--rows': maxRows } as CSSProperties}
    />
  )
}
