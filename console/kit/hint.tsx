import { Tooltip } from '@arco-design/web-react'
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'

interface Triggers {
  onPointerEnter?: (event: PointerEvent) => void
  onFocusCapture?: (event: FocusEvent) => void
}

/** Words that appear on hover and on keyboard focus. The child must take a ref and be focusable to be reached by keyboard. */
export function Hint({
  text,
  isSilent = false,
  children,
}: {
  text: ReactNode
  /** Something else is open there. */
  isSilent?: boolean
  children: ReactElement<Triggers>
}) {
  const [isShown, setShown] = useState(false)
  // A tap, and a focus that comes back when a drawer is closed, would leave the words standing over what is read next.
  const isUnasked = useRef(false)
  // oxlint-disable-next-line react/refs -- only the events write it
  const child = cloneElement(children, {
    onPointerEnter: ({ pointerType }) => {
      isUnasked.current = pointerType === 'touch'
    },
    onFocusCapture: ({ currentTarget }) => {
      isUnasked.current = !currentTarget.matches(':focus-visible')
    },
  })
  return (
    <Tooltip
      content={text}
      trigger={['hover', 'focus']}
      triggerProps={{ mouseEnterDelay: 400 }}
      popupVisible={isShown && !isSilent}
      onVisibleChange={(isWanted) => setShown(isWanted && !isUnasked.current)}
    >
      {child}
    </Tooltip>
  )
}
