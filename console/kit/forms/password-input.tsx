import { Button, Input } from '@arco-design/web-react'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'

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
