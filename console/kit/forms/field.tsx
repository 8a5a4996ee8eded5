import { Form, type RulesProps } from '@arco-design/web-react'
import { type FocusEvent, type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { FieldFault } from './read-number.ts'
import { useRefusal } from './field-rules.ts'

export interface FieldProps {
  /** The value's name in the form; `a.b` for nested ones. */
  name: string
  label: ReactNode
  /** A sentence below the control. */
  help?: ReactNode
  isRequired?: boolean
  /** Says why a value is required, where that is not obvious. */
  requiredText?: string
  rules?: RulesProps[]
  /** `checked` for checkboxes and switches. */
  valueName?: 'value' | 'checked'
  initial?: unknown
  isHidden?: boolean
  /** The control: any element that takes `value`, `onChange` and `id`. */
  children: ReactElement
  className?: string
}

/** A labelled control of a form with its help text and fault below. It is validated when it is left or changed. */
export function Field({ name, label, help, isRequired, rules = [], ...rest }: FieldProps) {
  const t = useTexts()
  const fault = useRef<string>(undefined)
  const sound: RulesProps = {
    validator: (value, answer) =>
      Number.isNaN(value) && !rest.isHidden
        ? answer(fault.current ?? t('form.required'))
        : answer(),
  }
  const required: RulesProps = {
    validator: (value, answer) =>
      isBlank(value) ? answer(rest.requiredText ?? t('form.required')) : answer(),
  }
  useSettledFault(name, isRequired)
  const keepRefusal = useRefusal(name)
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
        onFocus={(event: FocusEvent<HTMLElement>) => describeControl(event, isRequired)}
        onBlurCapture={keepRefusal}
      >
        {rest.children}
      </Form.Item>
    </FieldFault>
  )
}

const described = 'input, textarea, [role=combobox], [role=switch]'

/** Which of them ARIA lets be required. */
const requirable = 'input:not([type=radio]), textarea, [role=combobox]'

/** Links help text and fault to the control when it gets the focus, so that screen readers announce them, and says what the star says. Arco
 *  does neither. */
function describeControl(
  { target, currentTarget }: FocusEvent<HTMLElement>,
  isRequired = false,
): void {
  if (!target.matches(described)) return
  if (isRequired && target.matches(requirable)) target.setAttribute('aria-required', 'true')
  else target.removeAttribute('aria-required')
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

/** Validates again when the field is no longer required, so that the fault disappears. */
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

/** Fields below a short heading. */
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

/** Rarely used fields, folded below their heading. They unfold when one of them has a fault. */
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

/** The current value of another field of the same form. */
export function useFormValue<T = unknown>(name: string): T | undefined {
  const { form } = Form.useFormContext()
  return Form.useWatch(name, form as never) as T | undefined
}

/** Sets fields from a button of the form, e.g. from a list that was fetched. */
export function useFormSetter(): (changes: Record<string, unknown>) => void {
  const { form } = Form.useFormContext()
  return (changes) => form.setFieldsValue(changes)
}
