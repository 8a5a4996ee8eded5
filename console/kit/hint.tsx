import { Tooltip } from '@arco-design/web-react'
import type { ReactElement, ReactNode } from 'react'

/** Words that appear on hover and on keyboard focus. The child must take a ref and be focusable to be reached by keyboard. */
export function Hint({
  text,
  isSilent = false,
  children,
}: {
  text: ReactNode
  /** Something else is open there. */
  isSilent?: boolean
  children: ReactElement
}) {
  return (
    <Tooltip
      content={text}
      trigger={['hover', 'focus']}
      triggerProps={{ mouseEnterDelay: 400 }}
      {...(isSilent ? { popupVisible: false } : {})}
    >
      {children}
    </Tooltip>
  )
}
