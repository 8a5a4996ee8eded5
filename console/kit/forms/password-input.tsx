import { Button, Form, Input, type InputProps, type RulesProps } from '@arco-design/web-react'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { passwordLength } from '../../../core/contract/constants.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Field, useFormValue } from './field.tsx'
import { fieldRule, passwordRule } from './field-rules.ts'

type PasswordInputProps = Omit<
  ComponentProps<typeof Input.Password>,
  'suffix' | 'visibility' | 'visibilityToggle' | 'onVisibilityChange' | 'defaultVisibility'
>

/** A button with a name. Arco's own icon can be focused but has none. */
export function PasswordInput(props: PasswordInputProps) {
  const t = useTexts()
  const [isShown, setShown] = useState(false)
  return (
    <Input.Password
      {...props}
      visibility={isShown}
      visibilityToggle={false}
      suffix={
        <Button
          // Uses the browser's tooltip: the kit's hint would cover what is being typed.
          aria-label={isShown ? t('secret.hide') : t('secret.show')}
          type="text"
          className="icon-button"
          icon={isShown ? <IconEye /> : <IconEyeInvisible />}
          size="mini"
          disabled={props.disabled}
          // Keeps the focus in the input.
          onMouseDown={(event: { preventDefault(): void }) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}

interface NewPasswordProps {
  label: string
  help?: ReactNode
  isRequired?: boolean
  /** Checks beyond the length. */
  rules?: RulesProps[]
  size?: InputProps['size']
}

/** The field `password`. The input cuts nothing: who pastes too long a password must hear of it, or could not sign in with it. */
export function NewPassword({
  label,
  help,
  isRequired = true,
  rules = [],
  size,
}: NewPasswordProps) {
  const t = useTexts()
  return (
    <Field
      name="password"
      label={label}
      help={help ?? t('form.passwordLength', passwordLength)}
      isRequired={isRequired}
      rules={[passwordRule, ...rules]}
    >
      <PasswordInput autoComplete="new-password" size={size} />
    </Field>
  )
}

/** The same password once more, in a field with the name that the server reads. */
export function RepeatedPassword({
  name,
  label,
  size,
}: Pick<NewPasswordProps, 'size'> & { name: string; label?: string }) {
  const t = useTexts()
  const password = useFormValue<string>('password') ?? ''
  useComparison(name, password)
  return (
    <Field
      name={name}
      label={label ?? t('form.repeatPassword')}
      rules={[
        fieldRule<string>((value = '') =>
          value === password ? undefined : t('form.passwordsDiffer'),
        ),
      ]}
    >
      <PasswordInput autoComplete="new-password" size={size} />
    </Field>
  )
}

/** A fault of the repetition goes away where the password itself is corrected. */
function useComparison(name: string, password: string): void {
  const { form } = Form.useFormContext()
  const compared = useRef(password)
  useEffect(() => {
    if (compared.current === password) return
    compared.current = password
    if (form?.getFieldError(name)) form.validate([name]).catch(() => undefined)
  }, [form, name, password])
}
