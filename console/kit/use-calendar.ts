import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'

/** Whether the calendar of a field is open. It opens before the first letter that is typed or pasted: Arco opens it after that letter, which
 *  is then lost. The tab key and Escape close it. `around` is for an element around the field. */
export function useCalendar() {
  const [isOpen, setOpen] = useState(false)
  const isKept = useRef(false)
  const press = (event: KeyboardEvent) => {
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
    },
  }
}

function isTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    (key.length === 1 || key === 'Backspace' || key === 'Delete') && !ctrlKey && !metaKey && !altKey
  )
}
