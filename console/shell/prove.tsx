import { Button, Input } from '@arco-design/web-react'
import { useId, useState } from 'react'
import { create } from 'zustand'
import { api } from '../api/client.ts'
import { messageOf, useAction } from '../api/use-action.ts'
import { Dialog } from '../kit/dialog.tsx'
import { askPasskey, hasPasskeys } from '../sign-in/passkey.ts'
import { useSession } from '../stores/session.ts'
import { useTexts } from '../texts/use-texts.ts'
import './prove.css'
import { PasswordInput } from '../kit/forms/password-input.tsx'

type Method = 'password' | 'totp' | 'passkey'

interface Question {
  methods: readonly Method[]
  answer(isProved: boolean): void
}

const useQuestion = create<{ question: Question | undefined }>()(() => ({ question: undefined }))
let pending: Promise<boolean> | undefined

/** Asks the user to prove who he is, because the server requires it. Resolves to whether that succeeded. Calls that
 *  fail at the same time share one dialog. */
export function prove(): Promise<boolean> {
  pending ??= ask().finally(() => {
    pending = undefined
    useQuestion.setState({ question: undefined })
  })
  return pending
}

async function ask(): Promise<boolean> {
  const { methods } = await api.get<{ methods: Method[] }>('/api/verify')
  return new Promise<boolean>((answer) => useQuestion.setState({ question: { methods, answer } }))
}

/** Rendered once, in the shell. */
export function ProveHost() {
  const { question } = useQuestion()
  return question ? <Prove {...question} /> : null
}

function Prove({ methods, answer }: Question) {
  const t = useTexts()
  const typed = methods.filter((method) => method !== 'passkey')
  const [method = 'password', setMethod] = useState(typed[0])
  const { secret, setSecret, fault, setFault, submit, isRunning } = useSecret(method, answer)
  const other = typed.find((one) => one !== method)
  const takesPasskey = methods.includes('passkey')
  const canPasskey = takesPasskey && hasPasskeys()
  const isHopeless = typed.length === 0 && !canPasskey
  return (
    <Dialog
      title={t('prove.title')}
      okText={isHopeless ? t('prove.logIn') : t('prove.confirm')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !isHopeless && secret.trim() === '' }}
      confirmLoading={isRunning}
      onOk={() => void (isHopeless ? logInAgain() : submit())}
      onClose={() => answer(false)}
      footer={!isHopeless && typed.length === 0 ? null : undefined}
      maskClosable={false}
    >
      <div className="prove">
        <p className="dialog-words">{t(isHopeless ? 'prove.hopeless' : 'prove.text')}</p>
        {canPasskey ? <PasskeyButton answer={answer} isOnly={typed.length === 0} /> : null}
        {typed.length > 0 ? (
          <SecretField
            key={method}
            {...{ method, secret, fault }}
            onChange={(value) => {
              setSecret(value)
              setFault('')
            }}
            onSubmit={() => void submit()}
          />
        ) : null}
        {other ? (
          <Button
            className="prove-other"
            type="text"
            size="small"
            onClick={() => {
              setMethod(other)
              setSecret('')
              setFault('')
            }}
          >
            {t(`prove.use.${other}`)}
          </Button>
        ) : null}
      </div>
    </Dialog>
  )
}

function useSecret(method: Method, answer: Question['answer']) {
  const [secret, setSecret] = useState('')
  const [fault, setFault] = useState('')
  const [submit, isRunning] = useAction(async () => {
    if (secret.trim() === '') return
    const body = method === 'totp' ? { method, code: secret } : { method, password: secret }
    try {
      await api.post('/api/verify', body, { isQuiet: true })
      answer(true)
    } catch (error) {
      setFault(messageOf(error))
    }
  })
  return { secret, setSecret, fault, setFault, submit, isRunning }
}

function SecretField({
  method,
  secret,
  fault,
  onChange,
  onSubmit,
}: {
  method: Method
  secret: string
  fault: string
  onChange(value: string): void
  onSubmit(): void
}) {
  const t = useTexts()
  const id = useId()
  const field = {
    id,
    value: secret,
    onChange,
    onPressEnter: onSubmit,
    'aria-describedby': `${id}-fault`,
    status: fault ? ('error' as const) : undefined,
  }
  return (
    <>
      <label className="dialog-type" htmlFor={id}>
        {t(`prove.${method}`)}
        {method === 'totp' ? (
          <Input {...field} maxLength={32} autoComplete="one-time-code" />
        ) : (
          <PasswordInput {...field} autoComplete="current-password" />
        )}
      </label>
      <p id={`${id}-fault`} className="dialog-fault" role="alert">
        {fault}
      </p>
    </>
  )
}

function PasskeyButton({ answer, isOnly }: { answer: Question['answer']; isOnly: boolean }) {
  const t = useTexts()
  const [press, isRunning] = useAction(async () => {
    const proved = await askPasskey({
      begin: '/api/user/passkey/verify/begin',
      finish: '/api/user/passkey/verify/finish',
    })
    if (proved) answer(true)
  })
  return (
    <Button
      long
      type={isOnly ? 'primary' : 'secondary'}
      loading={isRunning}
      onClick={() => void press()}
    >
      {t('passkey.use')}
    </Button>
  )
}

/** Users without another proof sign in again. */
async function logInAgain(): Promise<void> {
  await api.get('/api/user/logout')
  useSession.getState().signOut()
  window.location.assign('/login')
}
