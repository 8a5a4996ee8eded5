import { Button, type ButtonProps } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { Hint } from './hint.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'aria-label' | 'icon' | 'children'> {
  /** The button's name, read out and shown on hover. */
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, type = 'text', ...rest }: IconButtonProps) {
  return (
    <Hint text={label}>
      <Button {...rest} type={type} icon={icon} aria-label={label} className="icon-button" />
    </Hint>
  )
}
