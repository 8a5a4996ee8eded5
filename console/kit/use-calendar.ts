import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'

/** Whether the calendar of a field is open. It opens before the first letter that is typed or pasted: Arco opens it after that letter, which
 *  is then lost. The tab key and Escape close it. `around` is for an element around the field. */
export function useCalendar() {
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useStillPointer()
  const isKept = useRef(false)
  const press = (event: KeyboardEvent) => {
    if (isTyping(event)) setTyped()
    if (!isOpen) {
      if (isTyping(event)) setOpen(true)
      return
    }
    // Arco leaves the calendar over the fields to which the key leads.
    if (event.key === 'Tab') setOpen(false)
    if (event.key !== 'Escape') return
    // The drawer around it stays open: this key was for the calendar.
    event.stopPropagation()
    setOpen(false)
    isKept.current = true
  }
  /** Arco takes the focus away a moment after the calendar has closed. */
  const keepFocus = ({ target, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (isKept.current && !relatedTarget) window.setTimeout(() => target.focus())
    isKept.current = false
  }
  return {
    around: { onKeyDown: press, onPaste: () => setOpen(true), onBlur: keepFocus },
    picker: {
      popupVisible: isOpen,
      onVisibleChange: (isVisible = false) => setOpen(isVisible),
      triggerProps: isTyped ? { className: 'calendar-typed' } : {},
    },
  }
}

/** True from a key until the pointer moves. Arco writes the day under the pointer into the field, also where the calendar has opened under a
 *  pointer that lies still, and the next letter is added to that. */
function useStillPointer(): [isStill: boolean, setStill: () => void] {
  const [isStill, setStill] = useState(false)
  useEffect(() => {
    if (!isStill) return undefined
    // Browsers report a move of nothing where something opens under the pointer.
    const move = ({ movementX, movementY }: MouseEvent) => {
      if (movementX !== 0 || movementY !== 0) setStill(false)
    }
    window.addEventListener('mousemove', move)
    return () => window.removeEventListener('mousemove', move)
  }, [isStill])
  return [isStill, () => setStill(true)]
}

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    (key.length === 1 || key === 'Backspace' || key === 'Delete') && !ctrlKey && !metaKey && !altKey
  )
}
