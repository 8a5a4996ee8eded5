import { Button, Form } from '@arco-design/web-react'
import { type ReactNode, useCallback, useEffect, useId, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { DrawerSections, type DrawerSlot } from '../../registry/slots/drawer-sections.tsx'
import { SidePanel } from './drawer.tsx'
import { focusFirstFault, focusFirstField } from './first-fault.ts'
import { LeaveGuard, useLeaveQuestion } from './leave-question.tsx'
import { useFormAction } from './use-form-action.ts'
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
  /** The drawer has an address of its own. */
  hasAddress?: boolean
  /** Left of the buttons. */
  footerNote?: ReactNode
  onChange?: (changes: Partial<T>, values: Partial<T>) => void
  /** The drawer's name for plugins that add sections to it, and the record that they get. */
  slot?: DrawerSlot
  children: ReactNode
}

/** Editing one record: validation, focus on the first fault, progress, and a question before changes are lost. */
export function EditDrawer<T extends object>(props: EditDrawerProps<T>) {
  const id = `form-${useId().replaceAll(/\W/g, '')}`
  const { initial } = props
  const edit = useEditForm(props)
  const { form, body, hasChanges, setChanged, close, save, isSaving, choose } = edit
  return (
    <SidePanel
      title={props.title}
      isOpen={props.isOpen}
      onClose={close}
      size={props.size}
      hasAddress={props.hasAddress}
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
        {props.slot ? <DrawerSections slot={props.slot} onChanged={edit.setSection} /> : null}
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
  const { hasChanges, setChanged, setSection, forgetSections, close } = useChanges(props.onClose)

  useEffect(() => {
    if (!isOpen || !initial) return
    form.resetFields()
    forgetSections()
    form.setFieldsValue(initial as never)
    setChanged(false)
    focusFirstField(body)
  }, [isOpen, initial, form, setChanged, forgetSections])

  const send = async (values: T) => {
    if ((await props.onSave({ ...initial, ...values }, isSecond.current)) === false) return
    setChanged(false)
    // Asks first where a section holds something that is not saved.
    close()
  }
  const [save, isSaving] = useFormAction(form, () => body.current, send)
  const choose = (isTheSecond: boolean) => {
    isSecond.current = isTheSecond
  }
  return { form, body, hasChanges, setChanged, setSection, close, save, isSaving, choose }
}

/** Of the form itself and of the sections that others add. */
function useChanges(onClose: () => void) {
  const { hasChanges, setChanged: tell, close } = useLeaveQuestion(onClose)
  const isOwnChanged = useRef(false)
  const sections = useRef(new Set<string>())
  const setChanged = useCallback(
    (isChanged: boolean) => {
      isOwnChanged.current = isChanged
      tell(isChanged || sections.current.size > 0)
    },
    [tell],
  )
  const setSection = useCallback(
    (id: string, isChanged: boolean) => {
      if (isChanged) sections.current.add(id)
      else sections.current.delete(id)
      tell(isOwnChanged.current || sections.current.size > 0)
    },
    [tell],
  )
  const forgetSections = useCallback(() => sections.current.clear(), [])
  return { hasChanges, setChanged, setSection, forgetSections, close }
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
