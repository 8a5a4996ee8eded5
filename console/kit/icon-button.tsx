import { Button, type ButtonProps } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { Hint } from './hint.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'icon' | 'children'> {
  /** The button's name, read out and shown on hover. */
  label: string
  icon: ReactNode
  /** What the button opens is open: its name would cover that. */
  isOpen?: boolean
}

export function IconButton({ label, icon, isOpen, type = 'text', ...rest }: IconButtonProps) {
  return (
    <Hint text={label} isSilent={isOpen}>
      <Button {...rest} type={type} icon={icon} aria-label={label} className="icon-button" />
    </Hint>
  )
}
