import { Button, Modal } from '@arco-design/web-react'
import { useEffect, useId, useState } from 'react'
import { create } from 'zustand'
import { api } from '../api/client.ts'
import { messageOf, useAction } from '../api/use-action.ts'
import { FocusReturn } from '../kit/focus-return.tsx'
import type { SignInAnswer } from '../sign-in/finish-sign-in.ts'
import { useBotCheck } from '../sign-in/use-bot-check.tsx'
import { type SessionUser, useSession } from '../stores/session.ts'
import { hasUnsaved } from '../stores/unsaved.ts'
import { useTexts } from '../texts/use-texts.ts'
import { PasswordInput } from '../kit/forms/password-input.tsx'

interface Question {
  answer(isSignedIn: boolean): void
}

const useQuestion = create<{ question: Question | undefined }>()(() => ({ question: undefined }))
let pending: Promise<boolean> | undefined

/** Called when the session has ended or belongs to another user. With unsaved work the password is asked for, so
 *  that nothing typed is lost; resolves to whether the same user is signed in again. Without unsaved work it
 *  resolves to false at once. */
export function signInAgain(): Promise<boolean> {
  if (pending) return pending
  useSession.getState().meetOther()
  const { user, successor } = useSession.getState()
  if (!user || !(successor || hasUnsaved())) return Promise.resolve(false)
  pending = new Promise<boolean>((resolve) => {
    useQuestion.setState({ question: { answer: resolve } })
  }).finally(() => {
    pending = undefined
    useQuestion.setState({ question: undefined })
  })
  return pending
}

/** Rendered once, in the shell. */
export function SignInAgainHost() {
  const { question } = useQuestion()
  const { user, successor, isLeft } = useSession()
  useEffect(() => {
    if (successor) void signInAgain()
  }, [successor])
  useEffect(() => {
    if (!isLeft) return
    void signInAgain().then((isIn) => {
      if (!isIn && useSession.getState().isLeft) useSession.getState().leave()
    })
  }, [isLeft])
  return question && user ? <SignInAgain user={user} answer={question.answer} /> : null
}

const noWay = () => {}

function SignInAgain({ user, answer }: Question & { user: SessionUser }) {
  const t = useTexts()
  const id = useId()
  const again = usePasswordAgain(user, answer)
  const { password, fault, submit } = again
  const { successor, handOver, isLeft } = useSession()
  const names = { name: user.username, other: successor?.username ?? '' }
  const leave = () => {
    answer(false)
    if (successor) handOver()
  }
  // The page stays, so that typed text can be read and copied, but it can save nothing.
  const stay = () => (successor ? answer(false) : leave())
  return (
    <Modal
      visible
      title={successor ? t('handover.title', names) : t(isLeft ? 'again.leftTitle' : 'again.title')}
      footer={
        <>
          <Button onClick={leave}>{t(successor ? 'handover.leave' : 'again.leave', names)}</Button>
          <Button
            type="primary"
            disabled={password === ''}
            loading={again.isRunning}
            onClick={() => void submit()}
          >
            {t('shell.login')}
          </Button>
        </>
      }
      onCancel={stay}
      maskClosable={false}
      className="dialog"
      autoFocus
      focusLock
    >
      {/* Back does not leave the page, so that typed text is kept. */}
      <FocusReturn onBack={successor ? stay : noWay} />
      <p className="dialog-words">{successor ? t('handover.text', names) : t('again.text')}</p>
      <label className="dialog-type" htmlFor={id}>
        {t('again.password', names)}
        <PasswordInput
          id={id}
          value={password}
          onChange={again.setPassword}
          autoComplete="current-password"
          aria-describedby={`${id}-fault`}
          status={fault ? 'error' : undefined}
          onPressEnter={() => password !== '' && void submit()}
        />
      </label>
      <p id={`${id}-fault`} className="dialog-fault" role="alert">
        {fault}
      </p>
      {again.botCheck}
      <a href="/login" target="_blank" rel="opener">
        {t('again.elsewhere')}
      </a>
    </Modal>
  )
}

function usePasswordAgain(user: SessionUser, answer: Question['answer']) {
  const t = useTexts()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState('')
  const { element: botCheck, run } = useBotCheck()
  useEffect(
    // The same user may have signed in again in another tab, by any method.
    () =>
      useSession.subscribe((session, before) => {
        if (session.user !== before.user && session.user?.id === user.id) answer(true)
      }),
    [user.id, answer],
  )
  const [submit, isRunning] = useAction(async () => {
    setFault('')
    const body = { username: user.username, password }
    try {
      const found = await run((query) =>
        api.post<SignInAnswer>('/api/user/login', body, { query, isQuiet: true }),
      )
      if (!found) return
      if ('require_2fa' in found) return setFault(t('again.factor'))
      if (found.id !== user.id) return setFault(t('again.other'))
      useSession.getState().signIn(found)
    } catch (error) {
      setFault(messageOf(error))
    }
  })
  return { password, setPassword, fault, botCheck, submit, isRunning }
}
