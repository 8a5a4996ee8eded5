import { Button, Input } from '@arco-design/web-react'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'

type PasswordInputProps = Omit<
  ComponentProps<typeof Input.Password>,
  'suffix' | 'visibility' | 'visibilityToggle' | 'onVisibilityChange' | 'defaultVisibility'
>

/** Arco's own eye is a drawing that takes the focus without a name. */
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
          // No tooltip of the kit: it would open above what is being typed.
          aria-label={isShown ? t('secret.hide') : t('secret.show')}
          type="text"
          className="icon-button"
          icon={isShown ? <IconEye /> : <IconEyeInvisible />}
          size="mini"
          disabled={props.disabled}
          // The field keeps the focus.
          onMouseDown={(event: { preventDefault(): void }) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
