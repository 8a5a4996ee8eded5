import { Button, Form } from '@arco-design/web-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { useAction } from '../api/use-action.ts'
import { textsOf, useTexts } from '../texts/use-texts.ts'
import { confirm } from './confirm.tsx'
import { SidePanel } from './drawer.tsx'
import { ErrorState, Loading } from './states.tsx'

export interface EditDrawerProps<T extends object> {
  title: string
  isOpen: boolean
  onClose(): void
  /** What the form starts with. A new object starts it anew. */
  initial: Partial<T> | undefined
  /** While the record is on its way: `initial` is undefined and the drawer waits; `error` says why it will not come. */
  error?: string
  /** Resolves when the server agreed, then the drawer closes; rejects, or resolves to false, and it stays. */
  onSave(values: T): Promise<unknown>
  saveLabel?: string
  size?: 'normal' | 'wide'
  /** Left of the buttons. */
  footerNote?: ReactNode
  onChange?: (changes: Partial<T>, values: Partial<T>) => void
  children: ReactNode
}

/** Editing one record: validation, focus on the first fault, progress, and a question before changes are lost. */
export function EditDrawer<T extends object>(props: EditDrawerProps<T>) {
  const t = useTexts()
  const [form] = Form.useForm<T>()
  const body = useRef<HTMLDivElement>(null)
  const id = `form-${useId().replaceAll(/\W/g, '')}`
  const { initial, isOpen } = props
  const { hasChanges, setChanged, close } = useLeaveQuestion(props.onClose)

  useEffect(() => {
    if (!isOpen || !initial) return
    form.resetFields()
    form.setFieldsValue(initial as never)
    setChanged(false)
    focusFirstField(body)
  }, [isOpen, initial, form, setChanged])

  const [save, isSaving] = useAction(async (values: T) => {
    if ((await props.onSave({ ...initial, ...values })) === false) return
    setChanged(false)
    props.onClose()
  })

  return (
    <SidePanel
      title={props.title}
      isOpen={isOpen}
      onClose={close}
      size={props.size}
      footer={
        <div className="drawer-footer">
          <span>{props.footerNote}</span>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button type="primary" htmlType="submit" form={id} loading={isSaving} disabled={!initial}>
            {props.saveLabel ?? t('save')}
          </Button>
        </div>
      }
    >
      <LeaveGuard hasChanges={hasChanges} />
      <div ref={body}>
        {props.error ? <ErrorState message={props.error} /> : initial ? null : <Loading />}
        <Form<T>
          id={id}
          form={form}
          layout="vertical"
          requiredSymbol={{ position: 'end' }}
          onSubmit={(values) => void save(values)}
          onSubmitFailed={() => focusFirstFault(body.current)}
          onChange={(changes, values) => {
            setChanged(true)
            props.onChange?.(changes, values)
          }}
          className={initial ? undefined : 'hidden'}
          autoComplete="off"
        >
          {props.children}
        </Form>
      </div>
    </SidePanel>
  )
}

export function focusFirstFault(container: HTMLElement | null): void {
  // After Arco has drawn the faults.
  requestAnimationFrame(() => {
    const fault = container?.querySelector('.arco-form-item-status-error')
    fault?.scrollIntoView({ block: 'center' })
    fault?.querySelector<HTMLElement>('input, textarea, [role=combobox], button')?.focus()
  })
}

/** People come to type. Not where a finger does: the keyboard on the screen would cover the form. */
function focusFirstField(body: RefObject<HTMLElement | null>): void {
  if (globalThis.matchMedia?.('(pointer: coarse)').matches) return
  requestAnimationFrame(() => {
    const field = body.current?.querySelector<HTMLElement>('input, textarea')
    field?.focus({ preventScroll: true })
  })
}

/** Asks before changes are lost: on closing, and on leaving the page. A ref, because closing may navigate before the next drawing. */
function useLeaveQuestion(onClose: () => void) {
  const hasChanges = useRef(false)
  const close = async () => {
    if (hasChanges.current && !(await mayDiscard())) return
    hasChanges.current = false
    onClose()
  }
  const setChanged = useCallback((isChanged: boolean) => {
    hasChanges.current = isChanged
  }, [])
  return { hasChanges, setChanged, close: () => void close() }
}

/** Stands inside the panel, so that of several drawers of a screen only the open one blocks: the router takes one blocker. */
function LeaveGuard({ hasChanges }: { hasChanges: RefObject<boolean> }) {
  const blocker = useBlocker(() => hasChanges.current)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void mayDiscard().then((isAgreed) => (isAgreed ? blocker.proceed() : blocker.reset()))
  }, [blocker])
  return null
}

function mayDiscard(): Promise<boolean> {
  const t = textsOf()
  return confirm({
    title: t('form.leaveTitle'),
    content: t('form.leave'),
    confirmLabel: t('form.discard'),
    cancelLabel: t('form.stay'),
    isDanger: true,
  })
}
