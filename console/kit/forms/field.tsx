import { Form, type RulesProps } from '@arco-design/web-react'
import { type FocusEvent, type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { FieldFault } from './read-number.ts'

export interface FieldProps {
  /** The value's name in the form; `a.b` for nested ones. */
  name: string
  label: ReactNode
  /** A sentence below the control. */
  help?: ReactNode
  isRequired?: boolean
  /** Why it is needed, where it is not plain to see. */
  requiredText?: string
  rules?: RulesProps[]
  /** `checked` for checkboxes and switches. */
  valueName?: 'value' | 'checked'
  initial?: unknown
  isHidden?: boolean
  /** Of the control: anything that takes `value`, `onChange` and `id`. */
  children: ReactElement
  className?: string
}

/** A labelled control of a form: help below it, the fault below that, checked when it is left. */
export function Field({ name, label, help, isRequired, rules = [], ...rest }: FieldProps) {
  const t = useTexts()
  const fault = useRef<string>(undefined)
  const sound: RulesProps = {
    validator: (value, answer) =>
      Number.isNaN(value) ? answer(fault.current ?? t('form.required')) : answer(),
  }
  const required: RulesProps = {
    validator: (value, answer) =>
      isBlank(value) ? answer(rest.requiredText ?? t('form.required')) : answer(),
  }
  useSettledFault(name, isRequired)
  return (
    <FieldFault value={fault}>
      <Form.Item
        field={name}
        label={label}
        extra={help}
        required={isRequired}
        rules={isRequired ? [sound, required, ...rules] : [sound, ...rules]}
        validateTrigger={['onBlur', 'onChange']}
        triggerPropName={rest.valueName ?? 'value'}
        {...('initial' in rest ? { initialValue: rest.initial } : {})}
        hidden={rest.isHidden}
        className={rest.className}
        onFocus={describeControl}
      >
        {rest.children}
      </Form.Item>
    </FieldFault>
  )
}

const described = 'input, textarea, [role=combobox], [role=switch]'

/** Arco does not say that help and fault belong to the control above them: screen readers hear of them when it gets the focus. */
function describeControl({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!target.matches(described)) return
  const idOf = (kind: string) => `${target.id}_${kind}`
  const kinds = ['message', 'extra'].filter((kind) => {
    const words = currentTarget.querySelector(`.arco-form-${kind}`)
    if (words) words.id = idOf(kind)
    return words !== null
  })
  const named = target.getAttribute('aria-describedby')?.split(' ') ?? []
  const others = named.filter((id) => id !== idOf('message') && id !== idOf('extra'))
  const ids = [...others, ...kinds.map(idOf)]
  if (ids.length > 0) target.setAttribute('aria-describedby', ids.join(' '))
  else target.removeAttribute('aria-describedby')
}

/** What is no longer needed is no longer missed. */
function useSettledFault(name: string, isRequired = false): void {
  const { form } = Form.useFormContext()
  useEffect(() => {
    if (isRequired || !form?.getFieldError(name)) return
    form.validate([name]).catch(() => undefined)
  }, [form, name, isRequired])
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) && value.length === 0
}

/** Fields under a short heading. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title?: ReactNode
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <fieldset className="form-section">
      {title ? <legend>{title}</legend> : null}
      {hint ? <p className="form-section-hint">{hint}</p> : null}
      {children}
    </fieldset>
  )
}

/** Fields that few need, folded under their heading; a fault in one of them unfolds it. */
export function FoldedSection({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <details className="form-section form-folded">
      <summary>{title}</summary>
      {hint ? <p className="form-section-hint">{hint}</p> : null}
      {children}
    </details>
  )
}

/** The value of another field of the same form, kept up to date. */
export function useFormValue<T = unknown>(name: string): T | undefined {
  const { form } = Form.useFormContext()
  return Form.useWatch(name, form as never) as T | undefined
}

/** Sets fields from a button of the form (a shortcut, a fetched list). */
export function useFormSetter(): (changes: Record<string, unknown>) => void {
  const { form } = Form.useFormContext()
  return (changes) => form.setFieldsValue(changes)
}
