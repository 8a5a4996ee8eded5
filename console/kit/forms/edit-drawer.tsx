import { Button, Form } from '@arco-design/web-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { ApiError } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { SidePanel } from './drawer.tsx'
import { focusFirstFault, focusFirstField } from './first-fault.ts'
import { LeaveGuard, useLeaveQuestion } from './leave-question.tsx'
import { ErrorState, Loading } from '../states.tsx'

export interface EditDrawerProps<T extends object> {
  title: string
  isOpen: boolean
  onClose(): void
  /** What the form starts with. A new object starts it anew. */
  initial: Partial<T> | undefined
  /** While the record is on its way: `initial` is undefined and the drawer waits; `error` says why it will not come. */
  error?: string
  /** Resolves when the server agreed, then the drawer closes; rejects, or resolves to false, and it stays. */
  onSave(values: T, isSecond: boolean): Promise<unknown>
  saveLabel?: string
  /** A second button that saves and does something more ("Save and test"); `onSave` is told which one was pressed. */
  secondLabel?: string
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
  const isSecond = useRef(false)
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
    try {
      if ((await props.onSave({ ...initial, ...values }, isSecond.current)) === false) return
    } catch (error) {
      if (error instanceof ApiError && error.field !== undefined) {
        form.setFields({ [error.field]: { error: { message: error.message } } } as never)
        focusFirstFault(body.current)
      }
      throw error
    }
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
          {props.secondLabel ? (
            <Button
              htmlType="submit"
              form={id}
              disabled={!initial || isSaving}
              onClick={() => {
                isSecond.current = true
              }}
            >
              {props.secondLabel}
            </Button>
          ) : null}
          <Button
            type="primary"
            htmlType="submit"
            form={id}
            loading={isSaving}
            disabled={!initial}
            onClick={() => {
              isSecond.current = false
            }}
          >
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
