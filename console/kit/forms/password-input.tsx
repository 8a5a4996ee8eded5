import { Input } from '@arco-design/web-react'
import { IconEye, IconEyeInvisible } from '@arco-design/web-react/icon'
import { type ComponentProps, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { IconButton } from '../icon-button.tsx'

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
        <IconButton
          label={isShown ? t('secret.hide') : t('secret.show')}
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
