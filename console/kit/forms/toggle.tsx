import { Switch } from '@arco-design/web-react'

export interface ToggleProps {
  id?: string
  label?: string
  checked?: boolean
  onChange?: (isOn: boolean) => void
  disabled?: boolean
  size?: 'small' | 'default'
}

/** A switch with a name; as a Field's control it takes `valueName="checked"`. */
export function Toggle({ label, onChange, ...rest }: ToggleProps) {
  return <Switch {...rest} aria-label={label} onChange={(isOn: boolean) => onChange?.(isOn)} />
}
