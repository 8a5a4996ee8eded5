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
  const id = `form-${useId().replaceAll(/\W/g, '')}`
  const { initial } = props
  const { form, body, hasChanges, setChanged, close, save, isSaving, choose } = useEditForm(props)
  return (
    <SidePanel
      title={props.title}
      isOpen={props.isOpen}
      onClose={close}
      size={props.size}
      footer={
        <DrawerButtons
          formId={id}
          isReady={initial !== undefined}
          isSaving={isSaving}
          note={props.footerNote}
          saveLabel={props.saveLabel}
          secondLabel={props.secondLabel}
          onClose={close}
          onChoose={choose}
        />
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

/** The form of the record that is open: filled anew for each, saved, and left only by choice. */
function useEditForm<T extends object>(props: EditDrawerProps<T>) {
  const [form] = Form.useForm<T>()
  const body = useRef<HTMLDivElement>(null)
  const isSecond = useRef(false)
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
  const choose = (isTheSecond: boolean) => {
    isSecond.current = isTheSecond
  }
  return { form, body, hasChanges, setChanged, close, save, isSaving, choose }
}

interface DrawerButtonsProps
  extends Pick<EditDrawerProps<object>, 'saveLabel' | 'secondLabel' | 'onClose'> {
  formId: string
  /** The record is there. */
  isReady: boolean
  isSaving: boolean
  note: ReactNode
  /** Which of the two buttons that save was pressed. */
  onChoose(isSecond: boolean): void
}

function DrawerButtons(props: DrawerButtonsProps) {
  const { formId, isReady, isSaving, onChoose } = props
  const t = useTexts()
  return (
    <div className="drawer-footer">
      <span>{props.note}</span>
      <Button onClick={props.onClose}>{t('cancel')}</Button>
      {props.secondLabel ? (
        <Button
          htmlType="submit"
          form={formId}
          disabled={!isReady || isSaving}
          onClick={() => onChoose(true)}
        >
          {props.secondLabel}
        </Button>
      ) : null}
      <Button
        type="primary"
        htmlType="submit"
        form={formId}
        loading={isSaving}
        disabled={!isReady}
        onClick={() => onChoose(false)}
      >
        {props.saveLabel ?? t('save')}
      </Button>
    </div>
  )
}
