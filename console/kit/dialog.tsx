import { Modal, type ModalProps } from '@arco-design/web-react'
import type { ReactNode } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { FocusReturn } from './focus-return.tsx'

export interface DialogProps
  extends Omit<ModalProps, 'visible' | 'onCancel' | 'className' | 'autoFocus' | 'focusLock'> {
  className?: string
  /** Called by its buttons, Escape, a press beside it, and Back. */
  onClose(): void
  children: ReactNode
}

/** A dialog, open as long as it is rendered. It holds the focus, and hands it back when it goes away. Without `onOk` there is nothing to do in it
 *  but to read, and its one button closes it. */
export function Dialog({ onClose, className = '', children, ...rest }: DialogProps) {
  const t = useTexts()
  const toRead = { onOk: onClose, okText: t('close'), hideCancel: true }
  return (
    <Modal
      {...(rest.onOk ? {} : toRead)}
      {...rest}
      visible
      onCancel={onClose}
      className={`dialog ${className}`.trim()}
      autoFocus
      focusLock
    >
      <FocusReturn onBack={onClose} isHeld />
      {children}
    </Modal>
  )
}
