import { Button, Drawer } from '@arco-design/web-react'
import { IconClose } from '@arco-design/web-react/icon'
import { type ReactNode, useRef } from 'react'
import FocusLock from 'react-focus-lock'
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

/** A drawer at the right edge, with the dialog role and the name that Arco's drawer lacks. Its head and footer are in
 *  the content, because Arco's own focus lock starts only when the drawer has slid in, and would take the focus from a
 *  dialog that was opened before. */
export function SidePanel({ title, isOpen, onClose, size = 'normal', ...rest }: SidePanelProps) {
  const body = useRef<HTMLDivElement>(null)
  const dialog = { role: 'dialog', 'aria-modal': true, 'aria-label': title }
  return (
    <Drawer
      {...dialog}
      visible={isOpen}
      onCancel={onClose}
      title={null}
      footer={null}
      closable={false}
      width={size === 'wide' ? 720 : 560}
      className={`drawer ${rest.className ?? ''}`}
      // Lists that fields open scroll with them.
      getChildrenPopupContainer={() => body.current ?? document.body}
      unmountOnExit
      focusLock={false}
    >
      <FocusReturn onBack={rest.hasAddress ? undefined : onClose} />
      <FocusLock
        className="drawer-frame"
        disabled={!isOpen}
        crossFrame={false}
        // The page would scroll to what is still outside of the window.
        focusOptions={{ preventScroll: true }}
      >
        <DrawerHead title={title} onClose={onClose} />
        <div className="drawer-body" ref={body}>
          {rest.children}
        </div>
        {rest.footer ? <div className="drawer-footer">{rest.footer}</div> : null}
      </FocusLock>
    </Drawer>
  )
}

function DrawerHead({ title, onClose }: Pick<SidePanelProps, 'title' | 'onClose'>) {
  const t = useTexts()
  return (
    <div className="drawer-head">
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
  )
}
