import { Input } from '@arco-design/web-react'
import { IconDown, IconUp } from '@arco-design/web-react/icon'
import { type KeyboardEvent, useContext, useId, useLayoutEffect, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { FieldFault, plainNumber, readNumber } from './read-number.ts'

export interface NumberInputProps {
  id?: string
  label?: string
  value?: number
  /** Called with NaN for text that the field does not accept. The text stays, and the Field says what is accepted. */
  onChange?: (value: number | undefined) => void
  onBlur?: () => void
  onPressEnter?: () => void
  onPressEscape?: () => void
  min?: number
  max?: number
  /** The bound of fields without one of their own: larger numbers are not exact. */
  ceiling?: number
  step?: number
  /** Decimals; 0 for whole numbers. */
  precision?: number
  suffix?: string
  prefix?: string
  placeholder?: string
  disabled?: boolean
  size?: 'mini' | 'small' | 'default'
  hasButtons?: boolean
  /** Marks the invalid input where a Field has several inputs and one message. */
  isWrong?: boolean
  className?: string
}

/** Input for a number. It never rounds or changes what was typed, and announces no bounds that it does not have. */
export function NumberInput(props: NumberInputProps) {
  const { label, value, min, max, hasButtons = false, disabled, suffix, className = '' } = props
  const faultId = useId()
  const slotRef = useContext(FieldFault)
  const { text, fault, type, leave, move } = useTypedNumber(props)
  const ownFault = slotRef ? undefined : fault
  return (
    <>
      <Input
        id={props.id}
        size={props.size}
        className={`number-input ${className}`}
        role="spinbutton"
        aria-label={label}
        aria-valuemin={min}
        aria-valuemax={max}
        aria-valuenow={Number.isNaN(value) ? undefined : value}
        {...(fault || props.isWrong ? { 'aria-invalid': true, status: 'error' as const } : {})}
        {...(ownFault ? { 'aria-describedby': faultId } : {})}
        value={text}
        onChange={type}
        onBlur={() => {
          leave()
          props.onBlur?.()
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Escape') props.onPressEscape?.()
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          move(event.key === 'ArrowUp' ? 1 : -1)
        }}
        onPressEnter={props.onPressEnter}
        placeholder={props.placeholder}
        disabled={disabled}
        prefix={props.prefix}
        suffix={
          hasButtons || suffix ? (
            <>
              {hasButtons && !disabled ? <Steps onStep={move} /> : null}
              {suffix}
            </>
          ) : undefined
        }
      />
      {ownFault ? (
        <p id={faultId} className="schema-fault number-fault" role="alert">
          {ownFault}
        </p>
      ) : null}
    </>
  )
}

/** Buttons for the mouse; on the keyboard the arrow keys do the same. */
function Steps({ onStep }: { onStep: (direction: 1 | -1) => void }) {
  return (
    <span
      className="number-steps"
      aria-hidden
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
    >
      <span onClick={() => onStep(1)}>
        <IconUp />
      </span>
      <span onClick={() => onStep(-1)}>
        <IconDown />
      </span>
    </span>
  )
}

interface Typed {
  text: string
  /** The number that was passed to `onChange` and has not come back as `value` yet. */
  isOnItsWay: boolean
}

/** The typed text while the input has the focus or its text is invalid; otherwise the text of the value. */
function useTypedNumber(props: NumberInputProps) {
  const { value, onChange, min, max, precision, ceiling, step = 1, disabled } = props
  const t = useTexts()
  const slotRef = useContext(FieldFault)
  const limits = { min, max, precision, ceiling }
  const [typed, setTyped] = useState<Typed>()
  const [seen, setSeen] = useState(value)
  // A value that this input did not report comes from outside and replaces the typed text.
  if (!Object.is(seen, value)) {
    setSeen(value)
    setTyped(typed?.isOnItsWay ? { ...typed, isOnItsWay: false } : undefined)
  }
  const fault = typed && readNumber(typed.text, limits, t).fault
  useLayoutEffect(() => {
    if (slotRef) slotRef.current = fault
  }, [slotRef, fault])
  const type = (text: string) => {
    const read = readNumber(text, limits, t)
    setTyped({ text, isOnItsWay: !Object.is(read.value, value) })
    // The fault must be set first, because the form validates before the next render.
    if (slotRef) slotRef.current = read.fault
    onChange?.(read.value)
  }
  const leave = () => setTyped(typed && fault ? { ...typed, isOnItsWay: false } : undefined)
  const move = (direction: 1 | -1) => {
    if (disabled) return
    const next =
      value === undefined || Number.isNaN(value) ? 0 : Number((value + direction * step).toFixed(9))
    setTyped(undefined)
    onChange?.(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, next)))
  }
  const text = typed?.text ?? plainNumber(value, precision || undefined)
  return { text, fault, type, leave, move }
}
