import { Button, Input } from '@arco-design/web-react'
import { toCanvas } from 'qrcode'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { copyText, Dialog, SecretText, useAction, useTexts } from '#console'

export interface FactorSetup {
  secret: string
  /** An otpauth address. */
  qr_code_data: string
  backup_codes: string[]
}

const QR_PIXELS = 192

/** Key, recovery codes, and the first code, by which the authenticator is switched on. */
export function SetupDialog({
  setup,
  onCode,
  onClose,
}: {
  setup: FactorSetup
  onCode(code: string): Promise<void>
  onClose(): void
}) {
  const t = useTexts('personal')
  return (
    <CodeDialog
      title={t('factor.title')}
      label={t('factor.code')}
      confirmLabel={t('factor.enable')}
      onCode={onCode}
      onClose={onClose}
    >
      <p>{t('factor.scan')}</p>
      <QrCode text={setup.qr_code_data} />
      <div className="personal-line">
        {t('factor.key')} <SecretText text={setup.secret} message={t('factor.keyCopied')} />
      </div>
      <RecoveryCodes codes={setup.backup_codes} />
    </CodeDialog>
  )
}

/** A component of its own: the dialog draws its content later than itself. */
function QrCode({ text }: { text: string }) {
  const t = useTexts('personal')
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) void toCanvas(canvas.current, text, { width: QR_PIXELS })
  }, [text])
  return <canvas ref={canvas} className="personal-qr" role="img" aria-label={t('factor.qr')} />
}

/** Asks for a code, and stays until it was right. */
export function CodeDialog({
  title,
  label,
  confirmLabel,
  onCode,
  onClose,
  children,
}: {
  title: string
  label?: string
  confirmLabel?: string
  onCode(code: string): Promise<unknown>
  onClose(): void
  children?: ReactNode
}) {
  const t = useTexts('personal')
  const id = useId()
  const [code, setCode] = useState('')
  const [send, isSending] = useAction(async () => {
    if (code.trim() !== '') await onCode(code.trim())
  })
  return (
    <Dialog
      title={title}
      okText={confirmLabel ?? title}
      okButtonProps={{ disabled: code.trim() === '' }}
      confirmLoading={isSending}
      onOk={() => void send()}
      onClose={onClose}
    >
      <div className="personal-stack">
        {children}
        <div className="schema-field">
          <label htmlFor={id}>{label ?? t('factor.codeOrRecovery')}</label>
          <Input
            id={id}
            value={code}
            // Else the first button has the focus, and its tooltip covers the picture.
            autoFocus
            maxLength={32}
            autoComplete="one-time-code"
            onChange={setCode}
            onPressEnter={() => void send()}
          />
        </div>
      </div>
    </Dialog>
  )
}

/** Shown once, after they were made anew. */
export function RecoveryDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const t = useTexts('personal')
  return (
    <Dialog
      hideCancel
      title={t('factor.codesTitle')}
      okText={t('factor.done')}
      onOk={onClose}
      onClose={onClose}
    >
      <RecoveryCodes codes={codes} />
    </Dialog>
  )
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useTexts('personal')
  return (
    <div className="personal-stack">
      <p>
        <strong>{t('factor.codesTitle')}</strong>
      </p>
      <p className="muted">{t('factor.codesHint')}</p>
      <ul className="personal-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => void copyText(codes.join('\n'), t('factor.codesCopied'))}>
          {t('factor.copyCodes')}
        </Button>
      </div>
    </div>
  )
}
