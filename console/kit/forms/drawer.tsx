import { Button, Drawer } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { FocusReturn } from '../focus-return.tsx'

export interface SidePanelProps {
  title: string
  isOpen: boolean
  onClose(): void
  /** `normal`: 560 px. `wide`: 720 px. Full width on a phone. */
  size?: 'normal' | 'wide'
  footer?: ReactNode
  /** The drawer has its own address, so Back leaves it without help. */
  hasAddress?: boolean
  className?: string
  children?: ReactNode
}

/** A drawer at the right edge, with the dialog role and the name that Arco's drawer lacks. */
export function SidePanel({ title, isOpen, onClose, size = 'normal', ...rest }: SidePanelProps) {
  const t = useTexts()
  const dialog = { role: 'dialog', 'aria-modal': true, 'aria-label': title }
  return (
    <Drawer
      {...dialog}
      visible={isOpen}
      onCancel={onClose}
      title={
        <div className="drawer-title">
          <h2 title={title}>{title}</h2>
          {/* Without the kit's hint, which would open at once: this button gets the focus when the drawer opens. */}
          <Button
            type="text"
            className="icon-button"
            icon={<IconClose />}
            aria-label={t('close')}
            onClick={onClose}
          />
        </div>
      }
      closable={false}
      width={size === 'wide' ? 720 : 560}
      footer={rest.footer ?? null}
      className={`drawer ${rest.className ?? ''}`}
      unmountOnExit
      autoFocus
      focusLock
    >
      <FocusReturn onBack={rest.hasAddress ? undefined : onClose} />
      {rest.children}
    </Drawer>
  )
}
