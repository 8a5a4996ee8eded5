import { Button, Form } from '@arco-design/web-react'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
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
  /** The initial values of the form. A new object resets the form. */
  initial: Partial<T> | undefined
  /** While the record is loading, `initial` is undefined and the drawer waits. `error` says why it cannot be loaded. */
  error?: string
  /** Loads the record again. */
  onRetry?: () => void
  /** The drawer closes when the promise resolves. It stays open when the promise rejects or resolves to false. */
  onSave(values: T, isSecond: boolean): Promise<unknown>
  saveLabel?: string
  /** A second button that saves and does something more ("Save and test"). `onSave` receives which button was
   *  pressed. */
  secondLabel?: string
  size?: 'normal' | 'wide'
  /** The drawer has an address of its own. */
  hasAddress?: boolean
  /** Shown at the left of the buttons. */
  footerNote?: ReactNode
  onChange?: (changes: Partial<T>, values: Partial<T>) => void
  /** The name under which plugins add sections to the drawer, and the record that the sections receive. */
  slot?: DrawerSlot
  children: ReactNode
}

/** Edits one record: validates, moves the focus to the first fault, shows progress, and asks before changes are
 *  lost. */
export function EditDrawer<T extends object>(props: EditDrawerProps<T>) {
  const id = `form-${useId().replaceAll(/\W/g, '')}`
  const { initial } = props
  const edit = useEditForm(props)
  const { form, body, hasChanges, setChanged, close, save, isSaving, choose } = edit
  const title = useLastOpen(props.isOpen, props.title)
  const isReady = useLastOpen(props.isOpen, initial !== undefined)
  return (
    <SidePanel
      title={title}
      isOpen={props.isOpen}
      onClose={close}
      size={props.size}
      hasAddress={props.hasAddress}
      footer={
        <DrawerButtons
          formId={id}
          isReady={isReady}
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
        {props.error ? (
          <ErrorState message={props.error} onRetry={props.onRetry} />
        ) : isReady ? null : (
          <Loading />
        )}
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
          className={isReady ? undefined : 'hidden'}
          autoComplete="off"
        >
          {props.children}
        </Form>
        {props.slot ? <DrawerSections slot={props.slot} onChanged={edit.setSection} /> : null}
      </div>
    </SidePanel>
  )
}

/** The value of while the drawer was open: it shows its record until it has moved out, though nothing is edited any more. */
function useLastOpen<T extends string | boolean>(isOpen: boolean, value: T): T {
  const [last, setLast] = useState(value)
  if (isOpen && last !== value) setLast(value)
  return isOpen ? value : last
}

/** The form of the open record. It is reset for each record, and asks before unsaved changes are lost. */
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
    // Asks first if a section has unsaved changes.
    close()
  }
  const [save, isSaving] = useFormAction(form, () => body.current, send)
  const choose = (isTheSecond: boolean) => {
    isSecond.current = isTheSecond
  }
  return { form, body, hasChanges, setChanged, setSection, close, save, isSaving, choose }
}

/** Unsaved changes of the form itself and of the sections that plugins add. */
function useChanges(onClose: () => void) {
  const { hasChanges, setChanged: setAnyChanged, close } = useLeaveQuestion(onClose)
  const isOwnChanged = useRef(false)
  const sections = useRef(new Set<string>())
  const setChanged = useCallback(
    (isChanged: boolean) => {
      isOwnChanged.current = isChanged
      setAnyChanged(isChanged || sections.current.size > 0)
    },
    [setAnyChanged],
  )
  const setSection = useCallback(
    (id: string, isChanged: boolean) => {
      if (isChanged) sections.current.add(id)
      else sections.current.delete(id)
      setAnyChanged(isOwnChanged.current || sections.current.size > 0)
    },
    [setAnyChanged],
  )
  const forgetSections = useCallback(() => sections.current.clear(), [])
  return { hasChanges, setChanged, setSection, forgetSections, close }
}

interface DrawerButtonsProps
  extends Pick<EditDrawerProps<object>, 'saveLabel' | 'secondLabel' | 'onClose'> {
  formId: string
  /** The record has been loaded. */
  isReady: boolean
  isSaving: boolean
  note: ReactNode
  /** Which of the two save buttons was pressed. */
  onChoose(isSecond: boolean): void
}

function DrawerButtons(props: DrawerButtonsProps) {
  const { formId, isReady, isSaving, onChoose } = props
  const t = useTexts()
  const [isSecond, setSecond] = useState(false)
  const choose = (isTheSecond: boolean) => {
    setSecond(isTheSecond)
    onChoose(isTheSecond)
  }
  return (
    <div className="drawer-buttons">
      <span>{props.note}</span>
      <Button onClick={props.onClose}>{t('cancel')}</Button>
      {props.secondLabel ? (
        // Its type is not `submit`, because Enter in a field presses the first button of that type.
        <Button
          loading={isSaving && isSecond}
          disabled={!isReady || (isSaving && !isSecond)}
          onClick={() => {
            choose(true)
            formOf(formId)?.requestSubmit()
          }}
        >
          {props.secondLabel}
        </Button>
      ) : null}
      <Button
        type="primary"
        htmlType="submit"
        form={formId}
        loading={isSaving && !isSecond}
        disabled={!isReady || (isSaving && isSecond)}
        onClick={() => choose(false)}
      >
        {props.saveLabel ?? t('save')}
      </Button>
    </div>
  )
}

function formOf(id: string): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(`form#${id}`)
}
