import {
  IconCheckCircleFill,
  IconCloseCircleFill,
  IconExclamationCircleFill,
  IconInfoCircleFill,
  IconMinusCircleFill,
} from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { Hint } from '../hint.tsx'

/** The meaning of each colour: enabled, failed, switched off by the system, off, neutral. */
export type Tone = 'success' | 'danger' | 'warning' | 'off' | 'info'

const icons = {
  success: IconCheckCircleFill,
  danger: IconCloseCircleFill,
  warning: IconExclamationCircleFill,
  off: IconMinusCircleFill,
  info: IconInfoCircleFill,
} as const

/** A state as a word with an icon, so that it does not depend on the colour. `hint` explains it on hover and focus. */
export function StatusTag({
  tone,
  children,
  hint,
}: {
  tone: Tone
  children: ReactNode
  hint?: ReactNode
}) {
  const Icon = icons[tone]
  const tag = (
    <span className={`status-tag tone-${tone}`} tabIndex={hint ? 0 : undefined}>
      <Icon aria-hidden />
      {children}
    </span>
  )
  return hint ? <Hint text={hint}>{tag}</Hint> : tag
}

/** A plain label: a group, a model, a tag. In a table it stays on one line; the tooltip has the whole text. */
export function Label({ children, isCode }: { children: ReactNode; isCode?: boolean }) {
  const title = typeof children === 'string' ? children : undefined
  return (
    <span className={`label ${isCode ? 'code' : ''}`} title={title}>
      {children}
    </span>
  )
}
