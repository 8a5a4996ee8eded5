import { InputNumber } from '@arco-design/web-react'

export interface NumberInputProps {
  id?: string
  label?: string
  value?: number
  onChange?: (value: number | undefined) => void
  onBlur?: () => void
  onPressEnter?: () => void
  min?: number
  max?: number
  step?: number
  /** Decimals; 0 for whole numbers. */
  precision?: number
  suffix?: string
  prefix?: string
  placeholder?: string
  disabled?: boolean
  size?: 'mini' | 'small' | 'default'
  hasButtons?: boolean
  className?: string
}

/** A number; without bounds none are announced. */
export function NumberInput({ label, hasButtons = false, ...props }: NumberInputProps) {
  return (
    <InputNumber
      {...props}
      hideControl={!hasButtons}
      aria-label={label}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
    />
  )
}
